package dev.weft.launcher;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * Components that refused to start, as declarative services tell it. Asked by reflection: the
 * launcher shares no package with the bundles, so that none of them depends on what starts it.
 */
final class ComponentFailures {
  private static final String RUNTIME =
      "org.osgi.service.component.runtime.ServiceComponentRuntime";
  private static final String CAUSE = "Caused by: ";
  private static final String WRONG_SETTING = "java.lang.IllegalArgumentException: ";

  private ComponentFailures() {}

  /**
   * Why a component failed.
   *
   * @param bundle name of its bundle, which is the name of its configuration too
   * @param reason the innermost cause
   * @param isSetting whether a setting is wrong
   */
  record Failure(String bundle, String reason, boolean isSetting) {}

  static List<Failure> of(BundleContext context) {
    List<Failure> failures = new ArrayList<>();
    ServiceReference<?> reference = context.getServiceReference(RUNTIME);
    if (reference == null) {
      return failures;
    }
    try {
      Object runtime = context.getService(reference);
      // Through the public interface: the implementing class is hidden.
      Class<?> contract = runtime.getClass().getClassLoader().loadClass(RUNTIME);
      var descriptions = contract.getMethod("getComponentDescriptionDTOs", Bundle[].class);
      for (Object description :
          (Collection<?>) descriptions.invoke(runtime, (Object) new Bundle[0])) {
        var configurations =
            contract.getMethod("getComponentConfigurationDTOs", description.getClass());
        for (Object configuration : (Collection<?>) configurations.invoke(runtime, description)) {
          Object failure = configuration.getClass().getField("failure").get(configuration);
          if (failure != null) {
            Object bundle = description.getClass().getField("bundle").get(description);
            Object name = bundle.getClass().getField("symbolicName").get(bundle);
            failures.add(failure(String.valueOf(name), String.valueOf(failure)));
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      failures.add(
          new Failure("org.apache.felix.scr", "cannot be asked for their failures: " + e, false));
    }
    return failures;
  }

  private static Failure failure(String bundle, String trace) {
    String reason =
        trace
            .lines()
            .filter(line -> line.startsWith(CAUSE))
            .reduce((first, last) -> last)
            .map(line -> line.substring(CAUSE.length()))
            .orElseGet(() -> trace.lines().findFirst().orElse("unknown"));
    if (!reason.startsWith(WRONG_SETTING)) {
      return new Failure(bundle, reason, false);
    }
    String setting = reason.substring(WRONG_SETTING.length());
    // Some start with the bundle's name, because they are logged too.
    String prefix = bundle + ": ";
    return new Failure(
        bundle, setting.startsWith(prefix) ? setting.substring(prefix.length()) : setting, true);
  }
}
