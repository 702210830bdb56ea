package dev.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the bundles of a framework declare of their settings; each is read once. Thread-safe. */
final class Declarations {
  private static final Logger LOG = LoggerFactory.getLogger(Declarations.class);

  private final BundleContext context;
  private Map<Long, Read> read = Map.of();
  private Map<String, Schema> merged = Map.of();

  /** What a bundle declared, and when it had been changed last. */
  private record Read(long changed, List<Schema> schemas) {}

  Declarations(BundleContext context) {
    this.context = context;
  }

  /** What they declare now, by name of the configuration. */
  synchronized Map<String, Schema> byPid() {
    Map<Long, Read> now = new HashMap<>();
    for (Bundle bundle : context.getBundles()) {
      Read before = read.get(bundle.getBundleId());
      boolean isKnown = before != null && before.changed() == bundle.getLastModified();
      now.put(
          bundle.getBundleId(),
          isKnown ? before : new Read(bundle.getLastModified(), schemas(bundle)));
    }
    if (!now.equals(read)) {
      read = now;
      List<Schema> all = new ArrayList<>();
      now.values().forEach(one -> all.addAll(one.schemas()));
      merged = Schema.byPid(all);
    }
    return merged;
  }

  private static List<Schema> schemas(Bundle bundle) {
    List<Schema> found = new ArrayList<>();
    for (URL file : files(bundle)) {
      try (InputStream in = file.openStream()) {
        found.addAll(MetatypeReader.read(in));
      } catch (IOException e) {
        LOG.warn("{} of bundle {} cannot be read", file, bundle.getSymbolicName(), e);
      }
    }
    return found;
  }

  private static List<URL> files(Bundle bundle) {
    try {
      Enumeration<URL> files = bundle.findEntries(MetatypeReader.FOLDER, "*.xml", false);
      return files == null ? List.of() : Collections.list(files);
    } catch (IllegalStateException e) {
      return List.of(); // uninstalled since the bundles were listed
    }
  }
}
