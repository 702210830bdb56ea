package dev.weft.shell;

import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.SplitPolicy;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.job.JobService;
import dev.weft.core.resources.ResourceManager;
import dev.weft.shell.command.CommandException;
import dev.weft.shell.command.Services;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Holds the services that commands work with. Each may be missing: the console must open just then
 * too, to find out why.
 */
@Component(service = ShellServices.class)
public final class ShellServices implements Services {
  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  private volatile JobService jobs;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  private volatile ResourceManager resources;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  private volatile Bus bus;

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  private volatile LocalNode localNode;

  private final BundleContext context;
  private final Instant started;

  /** Made by the service component runtime. */
  @Activate
  public ShellServices(BundleContext context) {
    this.context = context;
    this.started = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
  }

  @Override
  public JobService jobs() throws CommandException {
    return present(jobs, "the task scheduler");
  }

  @Override
  public ResourceManager resources() throws CommandException {
    return present(resources, "the resource manager");
  }

  @Override
  public Bus bus() throws CommandException {
    return present(bus, "the bus");
  }

  @Override
  public LocalNode localNode() throws CommandException {
    return present(localNode, "the bus");
  }

  private static <T> T present(T service, String what) throws CommandException {
    if (service == null) {
      throw new CommandException(
          what
              + " is not running in this manager: look with weft shell -c 'scr:list', and its log");
    }
    return service;
  }

  @Override
  public List<Policy> policies() {
    List<Policy> policies = new ArrayList<>();
    policies.addAll(policies("placement", PlacementPolicy.class));
    policies.addAll(policies("split", SplitPolicy.class));
    return policies;
  }

  private List<Policy> policies(String kind, Class<?> type) {
    ServiceReference<?>[] references;
    try {
      references = context.getServiceReferences(type.getName(), null);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException("no filter was given", e);
    }
    if (references == null) {
      return List.of();
    }
    Arrays.sort(references, Collections.reverseOrder());
    return Arrays.stream(references).map(reference -> policy(kind, reference)).toList();
  }

  private static Policy policy(String kind, ServiceReference<?> reference) {
    int ranking =
        reference.getProperty(Constants.SERVICE_RANKING) instanceof Integer number ? number : 0;
    return new Policy(
        kind,
        Objects.toString(reference.getProperty(PlacementPolicy.NAME), ""),
        Objects.toString(reference.getProperty(PlacementPolicy.VERSION), ""),
        ranking,
        reference.getBundle() == null ? "" : reference.getBundle().getSymbolicName());
  }

  @Override
  public String version() {
    return Objects.toString(
        context.getProperty("weft.version"), context.getBundle().getVersion().toString());
  }

  @Override
  public Instant started() {
    return started;
  }
}
