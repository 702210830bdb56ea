package dev.weft.config;

import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
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
