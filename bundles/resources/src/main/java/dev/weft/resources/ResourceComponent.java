package dev.weft.resources;

import dev.weft.core.bus.Bus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.loop.SteadyClock;
import dev.weft.core.resources.ResourceManager;
import java.time.Duration;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Wires the resource manager into the framework. */
@Component(
    configurationPid = "weft.resources",
    immediate = true,
    service = {})
@Designate(ocd = ResourceComponent.Settings.class)
public final class ResourceComponent {
  private static final String[] SERVICES = {
    ResourceManager.class.getName(), MessageHandler.class.getName(), PeerListener.class.getName()
  };

  private final ResourceLoop loop;
  private final ServiceRegistration<?> registration;

  /** Made by the framework. */
  @Activate
  public ResourceComponent(
      BundleContext context,
      @Reference LocalNode local,
      @Reference Bus bus,
      @Reference PolicyHolder holder,
      Settings settings) {
    loop =
        new ResourceLoop(
            local,
            settings.group().isBlank() ? local.id().hex() : settings.group(),
            bus,
            settings(settings),
            Duration.ofMillis(settings.policy_deadline_ms()),
            new SteadyClock());
    loop.start();
    holder.listen(loop::policyChanged);
    registration = context.registerService(SERVICES, loop, FrameworkUtil.asDictionary(Map.of()));
  }

  /** New settings hold at once; a new group at the next start. */
  @Modified
  void modified(Settings settings) {
    loop.settings(settings(settings), Duration.ofMillis(settings.policy_deadline_ms()));
  }

  private static ResourceSettings settings(Settings settings) {
    return new ResourceSettings(
        settings.reconcile(),
        Duration.ofMillis(settings.mismatch_ms()),
        Duration.ofMillis(settings.placement_timeout_ms()),
        Duration.ofMillis(settings.cancel_period_ms()));
  }

  @Deactivate
  void stop() {
    registration.unregister();
    loop.stop();
  }

  /** Settings of the resource manager. */
  @ObjectClassDefinition(
      id = "weft.resources",
      name = "Resource manager",
      description = "Owns the shared resource pool")
  public @interface Settings {
    /** Deadline of a policy call. */
    @AttributeDefinition(
        name = "Policy deadline",
        description = "milliseconds a placement policy has for one call",
        min = "10",
        max = "60000")
    long policy_deadline_ms() default 2000;

    /** Mode of B4. */
    @AttributeDefinition(
        name = "Reconciliation",
        description =
            "what is done if a node and the manager disagree on the version for longer: ADOPT takes over the node's amount and version, IMPOSE its amount, and sends it the manager's version, ASK asks it for an update")
    ResourceSettings.Reconcile reconcile() default ResourceSettings.Reconcile.IMPOSE;

    /** Time of B4. */
    @AttributeDefinition(
        name = "Mismatch time",
        description = "milliseconds that versions may differ before they are reconciled",
        min = "100",
        max = "3600000")
    long mismatch_ms() default 10_000;

    /** Placement timeout. */
    @AttributeDefinition(
        name = "Placement timeout",
        description =
            "milliseconds that a placement may go unnamed by its node's reports; then the node is asked to refuse it",
        min = "1000",
        max = "3600000")
    long placement_timeout_ms() default 30_000;

    /** Cancel period. */
    @AttributeDefinition(
        name = "Cancel period",
        description = "milliseconds between two questions about placements that are not wanted",
        min = "100",
        max = "600000")
    long cancel_period_ms() default 2000;

    /** Group. */
    @AttributeDefinition(
        name = "Group",
        description =
            "name of the resource managers that elect one leader; empty: this one is alone")
    String group() default "";
  }
}
