package dev.weft.config;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says of a file that was dropped to be installed why that cannot be done. */
final class NoBundle implements ArtifactInstaller {
  private static final Logger LOG = LoggerFactory.getLogger(NoBundle.class);

  private final Path deploy;

  /** For what lies in a folder. */
  NoBundle(Path deploy) {
    this.deploy = Objects.requireNonNull(deploy, "deploy");
  }

  @Override
  public boolean canHandle(File artifact) {
    return artifact.toPath().startsWith(deploy) && artifact.isFile() && !isBundle(artifact);
  }

  private static boolean isBundle(File artifact) {
    try (JarFile jar = new JarFile(artifact)) {
      Manifest manifest = jar.getManifest();
      return manifest != null
          && manifest.getMainAttributes().getValue("Bundle-SymbolicName") != null;
    } catch (IOException noJar) {
      return false;
    }
  }

  @Override
  public void install(File artifact) {
    LOG.warn(
        "{} is not installed: it is no bundle; expected a jar whose manifest has a"
            + " Bundle-SymbolicName",
        artifact);
  }

  @Override
  public void update(File artifact) {
    install(artifact);
  }

  @Override
  public void uninstall(File artifact) {
    // It never was installed.
  }
}
