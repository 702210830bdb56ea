package dev.weft.config;

import java.nio.file.Path;
import java.util.Map;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.service.cm.ConfigurationPlugin;

/**
 * Puts the guard in place before declarative services read their first configuration, and what
 * tells of wrong files before the first are looked for.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
public final class ConfigurationActivator implements BundleActivator {
  @Override
  public void start(BundleContext context) {
    context.registerService(
        ConfigurationPlugin.class,
        new ConfigurationGuard(new Declarations(context)::byPid),
        FrameworkUtil.asDictionary(Map.of("config.plugin.id", "weft.config")));
    Path deploy = Path.of(context.getProperty("weft.data"), "deploy");
    context.registerService(
        ArtifactInstaller.class, new NoBundle(deploy), FrameworkUtil.asDictionary(Map.of()));
  }

  @Override
  public void stop(BundleContext context) {
    // The framework takes the service back.
  }
}
