package dev.weft.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoBundleTest {
  @TempDir private Path folder;

  private boolean isTaken(Path file) {
    return new NoBundle(folder.resolve("deploy")).canHandle(file.toFile());
  }

  private static Path jar(Path file, String header) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue(header, "a.b");
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
    return file;
  }

  @Test
  void takesWhatIsNoBundleAndLeavesTheOthers() throws IOException {
    Path deploy = Files.createDirectory(folder.resolve("deploy"));
    assertEquals(true, isTaken(Files.writeString(deploy.resolve("junk.jar"), "junk")));
    assertEquals(true, isTaken(jar(deploy.resolve("plain.jar"), "Automatic-Module-Name")));
    assertEquals(false, isTaken(jar(deploy.resolve("bundle.jar"), "Bundle-SymbolicName")));
    assertEquals(false, isTaken(Files.writeString(folder.resolve("weft.bus.cfg"), "port = 1")));
    assertEquals(false, isTaken(Files.createDirectory(deploy.resolve("folder"))));
  }
}
