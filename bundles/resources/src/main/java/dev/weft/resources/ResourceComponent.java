package dev.weft.resources;

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
      BundleContext context, @Reference PolicyHolder holder, Settings settings) {
    loop =
        new ResourceLoop(
            holder::active, Duration.ofMillis(settings.policy_deadline_ms()), new SteadyClock());
    loop.start();
    registration = context.registerService(SERVICES, loop, FrameworkUtil.asDictionary(Map.of()));
  }

  /** The new deadline holds from the next call on. */
  @Modified
  void modified(Settings settings) {
    loop.policyDeadline(Duration.ofMillis(settings.policy_deadline_ms()));
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
  }
}
