package dev.weft.agent;

import dev.weft.api.execution.Executor;
import dev.weft.api.inventory.Probe;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.staging.StagingClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the agent into the framework. */
@Component(
    service = {},
    immediate = true,
    configurationPid = AgentComponent.PID)
@Designate(ocd = AgentConfiguration.class)
public final class AgentComponent {
  static final String PID = "weft.agent";

  private static final Logger LOG = LoggerFactory.getLogger(AgentComponent.class);
  private static final long MAXIMUM_PROBE_PERIOD = 3_600_000;

  private final BundleContext context;
  private final Agent agent;
  private Optional<ServiceRegistration<?>> registration = Optional.empty();

  /**
   * Made by the framework; references that can come and go are bound afterwards.
   *
   * @throws IllegalArgumentException if a setting is wrong
   */
  @Activate
  public AgentComponent(
      BundleContext context,
      @Reference LocalNode node,
      @Reference Bus bus,
      @Reference StagingClient staging,
      AgentConfiguration configuration) {
    this.context = context;
    String data = context.getProperty("weft.data");
    if (data == null) {
      throw new IllegalStateException("the framework property weft.data is not set");
    }
    this.agent =
        new Agent(
            node,
            bus,
            staging,
            Path.of(data, "agent").toAbsolutePath().normalize(),
            System.getProperty("os.name"),
            AgentSettings.of(configuration));
  }

  @Activate
  void activate() {
    agent.start();
    // By hand, because the bus is needed first and looks for these itself.
    registration =
        Optional.of(
            context.registerService(
                new String[] {MessageHandler.class.getName(), PeerListener.class.getName()},
                agent.loop(),
                // The launcher waits for this: the profile works when the agent does.
                FrameworkUtil.asDictionary(Map.of("weft.component", "agent"))));
  }

  @Deactivate
  void deactivate() {
    registration.ifPresent(ServiceRegistration::unregister);
    agent.close();
  }

  @Modified
  void modified(AgentConfiguration configuration) {
    AgentSettings next;
    try {
      next = AgentSettings.of(configuration);
    } catch (IllegalArgumentException e) {
      LOG.error("{}; the settings of before stay", e.getMessage());
      return;
    }
    agent.settings(next);
  }

  @Reference(
      target = "(" + Executor.KIND + "=process)",
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  void bindExecutor(Executor executor) {
    agent.executors().bound(executor);
  }

  void unbindExecutor(Executor executor) {
    agent.executors().unbound(executor);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  void bindProbe(Probe probe, Map<String, Object> properties) {
    agent.probes().add(probe, period(properties.get(InventoryRounds.PERIOD)));
  }

  void unbindProbe(Probe probe) {
    agent.probes().remove(probe);
  }

  private static Duration period(Object property) {
    long millis = property instanceof Number number ? number.longValue() : 0;
    return Duration.ofMillis(Math.max(0, Math.min(millis, MAXIMUM_PROBE_PERIOD)));
  }
}
