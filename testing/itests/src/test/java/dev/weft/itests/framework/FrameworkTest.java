package dev.weft.itests.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The manager's bundles in the real framework. */
@ExtendWith({InFramework.class, NoArguments.class})
public class FrameworkTest {
  private static final long PATIENCE_SECONDS = 20;

  @Test
  public void everyBundleIsActive(BundleContext context) {
    for (Bundle bundle : context.getBundles()) {
      assertEquals(Bundle.ACTIVE, bundle.getState(), bundle.getSymbolicName());
    }
    await("the job service", () -> present(context, "dev.weft.core.job.JobService"));
  }

  @Test
  public void aBadChangeIsRefusedAndTheOldValueStays(BundleContext context) throws Exception {
    ConfigurationAdmin admin =
        context.getService(context.getServiceReference(ConfigurationAdmin.class));
    Configuration configuration = admin.getConfiguration("weft.policy.rank", "?");
    ServiceReference<?> rank = context.getServiceReference("dev.weft.api.policy.PlacementPolicy");
    assertNotNull(rank);

    configuration.update(FrameworkUtil.asDictionary(Map.of("weight.cpu", "3")));
    assertEquals("3", configuration.getProcessedProperties(rank).get("weight.cpu"));
    configuration.update(FrameworkUtil.asDictionary(Map.of("weight.cpu", "heavy")));
    assertEquals("3", configuration.getProcessedProperties(rank).get("weight.cpu"));
    configuration.update(FrameworkUtil.asDictionary(Map.of("weigth.cpu", "4")));
    assertEquals("3", configuration.getProcessedProperties(rank).get("weight.cpu"));
    configuration.update(FrameworkUtil.asDictionary(Map.of("weight.cpu", "5")));
    assertEquals("5", configuration.getProcessedProperties(rank).get("weight.cpu"));
    assertTrue(present(context, "dev.weft.api.policy.PlacementPolicy"));
  }

  @Test
  public void aDroppedBundleStartsIsUpdatedAndStops(BundleContext context) throws Exception {
    Path deploy = Path.of(context.getProperty("weft.data"), "deploy");
    drop(deploy, "1.0.0");
    await("version 1.0.0", () -> isActive(context, "1.0.0"));
    drop(deploy, "2.0.0");
    await("version 2.0.0", () -> isActive(context, "2.0.0"));
    Files.delete(deploy.resolve("dropped.jar"));
    await("its end", () -> dropped(context).isEmpty());
  }

  private static void drop(Path deploy, String version) throws Exception {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", "example.dropped");
    main.putValue("Bundle-Version", version);
    Path temporary = Files.createTempFile("dropped", ".jar");
    try (OutputStream file = Files.newOutputStream(temporary)) {
      new JarOutputStream(file, manifest).close();
    }
    Files.move(temporary, deploy.resolve("dropped.jar"), StandardCopyOption.REPLACE_EXISTING);
  }

  private static Optional<Bundle> dropped(BundleContext context) {
    return Arrays.stream(context.getBundles())
        .filter(bundle -> "example.dropped".equals(bundle.getSymbolicName()))
        .findFirst();
  }

  private static boolean isActive(BundleContext context, String version) {
    return dropped(context)
        .filter(bundle -> bundle.getState() == Bundle.ACTIVE)
        .filter(bundle -> bundle.getVersion().toString().equals(version))
        .isPresent();
  }

  private static boolean present(BundleContext context, String service) {
    return context.getServiceReference(service) != null;
  }

  private static void await(String what, Supplier<Boolean> condition) {
    CountDownLatch never = new CountDownLatch(1);
    long begin = System.nanoTime();
    try {
      while (!condition.get()) {
        assertTrue(
            System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
            "waited in vain for " + what);
        assertTrue(!never.await(50, TimeUnit.MILLISECONDS));
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for " + what, e);
    }
  }
}
