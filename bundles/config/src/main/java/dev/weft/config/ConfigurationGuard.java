package dev.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ConfigurationPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between a changed configuration and the component that reads it: what breaks the
 * component's declaration is refused, and the last good values stay (F4).
 */
final class ConfigurationGuard implements ConfigurationPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigurationGuard.class);
  private static final String PID = "service.pid";

  /** Keys that the framework adds to every configuration. */
  private static final Set<String> ADDED =
      Set.of(PID, "service.factoryPid", "service.bundleLocation", "felix.fileinstall.filename");

  private final Supplier<Map<String, Schema>> schemas;
  private final Map<String, Map<String, Object>> good = new HashMap<>();
  private final Map<String, String> told = new HashMap<>();

  ConfigurationGuard(Supplier<Map<String, Schema>> schemas) {
    this.schemas = schemas;
  }

  /** What the bundles of the framework declare now. */
  static Map<String, Schema> declared(BundleContext context) {
    List<Schema> all = new ArrayList<>();
    for (Bundle bundle : context.getBundles()) {
      for (URL file : files(bundle)) {
        try (InputStream in = file.openStream()) {
          all.addAll(MetatypeReader.read(in));
        } catch (IOException e) {
          LOG.warn("{} of bundle {} cannot be read", file, bundle.getSymbolicName(), e);
        }
      }
    }
    return Schema.byPid(all);
  }

  private static List<URL> files(Bundle bundle) {
    try {
      Enumeration<URL> files = bundle.findEntries(MetatypeReader.FOLDER, "*.xml", false);
      return files == null ? List.of() : Collections.list(files);
    } catch (IllegalStateException e) {
      return List.of(); // uninstalled since the bundles were listed
    }
  }

  @Override
  public synchronized void modifyConfiguration(
      ServiceReference<?> target, Dictionary<String, Object> dictionary) {
    Map<String, Object> properties = FrameworkUtil.asMap(dictionary);
    String pid = String.valueOf(properties.get(PID));
    Schema schema = schemas.get().get(pid);
    if (schema == null) {
      return;
    }
    List<String> problems = new ArrayList<>();
    Map<String, Object> own = new HashMap<>();
    properties.forEach(
        (key, value) -> {
          if (!ADDED.contains(key)) {
            own.put(key, value);
            schema
                .problem(key, String.valueOf(value))
                .ifPresent(problem -> problems.add(key + " = " + value + ": " + problem));
          }
        });
    if (problems.isEmpty()) {
      good.put(pid, own);
      told.remove(pid);
      return;
    }
    tell(pid, String.join("; ", problems));
    own.keySet().forEach(properties::remove);
    properties.putAll(good.getOrDefault(pid, Map.of()));
  }

  private void tell(String pid, String problems) {
    if (!problems.equals(told.put(pid, problems))) {
      LOG.warn("{}.cfg is refused, the old values stay: {}", pid, problems);
    }
  }
}
