package dev.weft.scheduler;

import dev.weft.api.JobId;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.job.JobService;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.loop.SteadyClock;
import dev.weft.core.message.Message.StatusRules;
import dev.weft.core.resources.ResourceManager;
import dev.weft.core.staging.StagingArea;
import dev.weft.scheduler.flow.BufferRules;
import dev.weft.scheduler.jobfile.JobFileReader;
import dev.weft.scheduler.jobfile.Jobs;
import dev.weft.scheduler.jobfile.LocalFileChecks;
import dev.weft.scheduler.split.SplitPolicies;
import dev.weft.scheduler.split.Splitter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires the task scheduler into the framework. Jobs are kept in memory: a durable journal is not
 * part of it yet, so a manager that stops forgets its jobs.
 */
@Component(
    configurationPid = "weft.scheduler",
    immediate = true,
    service = {})
@Designate(ocd = SchedulerConfiguration.class)
public final class SchedulerComponent {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerComponent.class);
  private static final String[] SERVICES = {
    JobService.class.getName(), MessageHandler.class.getName(), PeerListener.class.getName()
  };

  private final SchedulerLoop loop;
  private final ServiceRegistration<?> registration;

  /**
   * Made by the framework.
   *
   * @throws IllegalArgumentException if the settings break a rule
   */
  @Activate
  public SchedulerComponent(
      BundleContext context,
      @Reference ResourceManager resources,
      @Reference Bus bus,
      @Reference LocalNode local,
      @Reference StagingArea staging,
      @Reference SplitPolicies policies,
      SchedulerConfiguration configuration) {
    SecureRandom random = new SecureRandom();
    SteadyClock clock = new SteadyClock();
    Path folder = Path.of(context.getProperty("weft.data"), "scheduler", "results");
    Results results = new Results(folder, staging);
    loop =
        new SchedulerLoop(
            new SchedulerCore(
                settings(configuration), new SplittableRandom(random.nextLong()), clock.instant()),
            new JobFileReader(new LocalFileChecks(), new FileJobs(random, results)),
            new Splitter(
                policies::active,
                resources::view,
                new PluginGuard(Splitter.POLICY_DEADLINE),
                staging),
            results,
            new SchedulerLoop.Services(local.id(), resources, bus, staging),
            clock);
    loop.start();
    loop.managers(List.of(local.id()), Optional.of(local.id()));
    registration = context.registerService(SERVICES, loop, FrameworkUtil.asDictionary(Map.of()));
  }

  /** Jobs as the reader of job files asks for them. */
  private final class FileJobs implements Jobs {
    private final SecureRandom random;
    private final Results results;

    private FileJobs(SecureRandom random, Results results) {
      this.random = random;
      this.results = results;
    }

    @Override
    public JobId draw() {
      byte[] drawn = new byte[JobId.LENGTH / 2];
      random.nextBytes(drawn);
      return new JobId(HexFormat.of().formatHex(drawn));
    }

    @Override
    public List<JobId> find(String prefix) {
      return loop.find(prefix); // nobody submits before the loop is made
    }

    @Override
    public Path result(JobId job) {
      return results.of(job);
    }
  }

  /** New settings hold at once; settings that break a rule are refused. */
  @Modified
  void modified(SchedulerConfiguration configuration) {
    try {
      loop.configure(settings(configuration));
    } catch (IllegalArgumentException e) {
      LOG.warn("weft.scheduler.cfg is refused, the old settings stay: {}", e.getMessage());
    }
  }

  @Deactivate
  void stop() {
    registration.unregister();
    loop.stop();
  }

  private static BufferRules buffer(SchedulerConfiguration configuration) {
    return new BufferRules(
        configuration.buffer_slots(),
        configuration.buffer_minimum(),
        configuration.buffer_maximum(),
        configuration.buffer_threshold(),
        Duration.ofMillis(configuration.buffer_window_ms()),
        configuration.buffer_baseline(),
        configuration.buffer_grow(),
        configuration.buffer_shrink(),
        Duration.ofMillis(configuration.stall_ms()),
        configuration.stall_withdraw());
  }

  private static SchedulerSettings settings(SchedulerConfiguration configuration) {
    return new SchedulerSettings(
        buffer(configuration),
        Duration.ofMillis(configuration.retry_wait_ms()),
        Duration.ofMillis(configuration.answer_timeout_ms()),
        Duration.ofMillis(configuration.status_timeout_ms()),
        new StatusRules(
            Duration.ofMillis(configuration.status_period_ms()),
            configuration.status_periods(),
            Duration.ofMillis(configuration.stop_grace_ms())),
        configuration.jobs_kept());
  }
}
