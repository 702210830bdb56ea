package dev.weft.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/** The framework with the bundles of one profile. */
final class RunningFramework {
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(10);
  private static final long START_SECONDS = 60;
  private static final int FINAL_LEVEL = 100;
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(START_SECONDS);
  private static final long POLL_MILLIS = 10;

  private final Framework framework;

  private RunningFramework(Framework framework) {
    this.framework = framework;
  }

  static String version() {
    String version = RunningFramework.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Starts everything; returns when every bundle of the profile is active. */
  static RunningFramework start(
      Path home, Arguments arguments, DataDirectory data, Path run, FeatureList features)
      throws LaunchException {
    // JLine looks for its providers through the context class loader and must not find ours.
    Thread.currentThread().setContextClassLoader(null);
    Framework framework =
        new FrameworkFactory().newFramework(properties(home, arguments, data, run));
    try {
      framework.init();
      RunningFramework runtime = new RunningFramework(framework);
      Runtime.getRuntime().addShutdownHook(new Thread(runtime::stop, "weft-stop"));
      List<Bundle> bundles = install(framework, features.bundles());
      framework.start();
      raiseLevel(framework);
      checkActive(bundles);
      runtime.awaitReady(bundles, features.ready(), data.folder().resolve("log/weft.log"));
      runtime.warnOfOthers(bundles);
      return runtime;
    } catch (IllegalStateException e) {
      throw new LaunchException(LaunchException.ERROR, "was stopped before it was ready");
    } catch (BundleException e) {
      throw new LaunchException(LaunchException.ERROR, "the framework did not start: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LaunchException(LaunchException.ERROR, "the start was interrupted");
    }
  }

  private static Map<String, String> properties(
      Path home, Arguments arguments, DataDirectory data, Path run) {
    Path folder = data.folder();
    // Logback reads its file's variables from system properties.
    System.setProperty("weft.data", folder.toString());
    Map<String, String> properties = new HashMap<>();
    properties.put("weft.home", home.toString());
    properties.put("weft.data", folder.toString());
    properties.put("weft.run", run.toString());
    properties.put("weft.roles", arguments.profile().roles());
    properties.put("weft.version", version());
    properties.put(Constants.FRAMEWORK_STORAGE, folder.resolve("cache").toString());
    properties.put(
        Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
    properties.put("felix.fileinstall.dir", arguments.etc() + "," + folder.resolve("deploy"));
    properties.put("felix.fileinstall.poll", "1000");
    properties.put("felix.fileinstall.noInitialDelay", "true");
    properties.put("felix.fileinstall.enableConfigSave", "false");
    properties.put("felix.fileinstall.bundles.updateWithListeners", "true");
    properties.put("felix.fileinstall.tmpdir", folder.resolve("cache/fileinstall").toString());
    properties.put("felix.fileinstall.start.level", Integer.toString(FINAL_LEVEL));
    properties.put("felix.fileinstall.log.level", "3");
    // Gogo's own session must not read a terminal, nor stop the framework at its end.
    properties.put("gosh.args", "--nointeractive --noshutdown");
    properties.put("gosh.home", home.toString());
    properties.put(
        "org.ops4j.pax.logging.StaticLogbackFile", home.resolve("etc/logback.xml").toString());
    properties.put("org.ops4j.pax.logging.DefaultServiceLog.level", "WARN");
    return properties;
  }

  private static List<Bundle> install(Framework framework, List<FeatureList.Entry> features)
      throws LaunchException, BundleException {
    List<Bundle> bundles = new ArrayList<>();
    for (FeatureList.Entry feature : features) {
      try {
        Bundle bundle =
            framework.getBundleContext().installBundle("reference:" + feature.file().toUri());
        bundle.adapt(BundleStartLevel.class).setStartLevel(feature.startLevel());
        bundles.add(bundle);
      } catch (BundleException e) {
        throw new LaunchException(
            LaunchException.ERROR, feature.file() + " is not a bundle: " + e.getMessage());
      }
    }
    for (Bundle bundle : bundles) {
      if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
        bundle.start(Bundle.START_ACTIVATION_POLICY);
      }
    }
    return bundles;
  }

  private static void raiseLevel(Framework framework) throws InterruptedException, LaunchException {
    CountDownLatch reached = new CountDownLatch(1);
    framework
        .adapt(FrameworkStartLevel.class)
        .setStartLevel(
            FINAL_LEVEL,
            event -> {
              if (event.getType() == FrameworkEvent.STARTLEVEL_CHANGED) {
                reached.countDown();
              }
            });
    if (!reached.await(START_SECONDS, TimeUnit.SECONDS)) {
      throw new LaunchException(
          LaunchException.ERROR, "the bundles did not start within " + START_SECONDS + " s");
    }
  }

  private static void checkActive(List<Bundle> bundles) throws LaunchException {
    List<String> problems = new ArrayList<>();
    for (Bundle bundle : bundles) {
      boolean fragment = bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
      if (bundle.getState() != Bundle.ACTIVE && !fragment) {
        try {
          bundle.start();
        } catch (BundleException e) {
          problems.add(bundle.getSymbolicName() + ": " + e.getMessage());
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new LaunchException(
          LaunchException.ERROR, "bundles did not start:\n  " + String.join("\n  ", problems));
    }
  }

  /** Waits for the services that say that the profile works; whatever failed instead is told. */
  private void awaitReady(List<Bundle> bundles, List<String> filters, Path log)
      throws LaunchException, InterruptedException {
    BundleContext context = framework.getBundleContext();
    Set<String> own = bundles.stream().map(Bundle::getSymbolicName).collect(Collectors.toSet());
    long begin = System.nanoTime();
    boolean ready;
    do {
      // Asked first: what came after the failures were read is found by the next look.
      ready = arePresent(context, filters);
      // What somebody dropped into deploy/ may fail without stopping the start.
      checkComponents(
          ComponentFailures.of(context).stream()
              .filter(failure -> own.contains(failure.bundle()))
              .toList());
      if (!ready && System.nanoTime() - begin > READY_NANOS) {
        throw new LaunchException(
            LaunchException.ERROR,
            "is not ready after " + START_SECONDS + " s: " + filters + "; see " + log);
      }
      if (!ready) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } while (!ready);
  }

  private static void checkComponents(List<ComponentFailures.Failure> failures)
      throws LaunchException {
    if (failures.isEmpty()) {
      return;
    }
    boolean settings = failures.stream().allMatch(ComponentFailures.Failure::isSetting);
    throw new LaunchException(
        settings ? LaunchException.CONFIGURATION : LaunchException.ERROR,
        failures.stream()
            .map(
                failure ->
                    failure.bundle() + (failure.isSetting() ? ".cfg: " : ": ") + failure.reason())
            .collect(Collectors.joining("\n  ", "could not start:\n  ", "")));
  }

  /**
   * Says which bundles in deploy/ do not start. FileInstall says it of those that come later, but
   * not of those whose start waited for the start level.
   */
  private void warnOfOthers(List<Bundle> own) {
    for (Bundle bundle : framework.getBundleContext().getBundles()) {
      if (!own.contains(bundle)
          && bundle.getState() != Bundle.ACTIVE
          && bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
        try {
          bundle.start(Bundle.START_ACTIVATION_POLICY);
        } catch (BundleException e) {
          System.err.println(
              "weft: goes on without " + bundle.getLocation() + ": " + e.getMessage());
        }
      }
    }
  }

  private static boolean arePresent(BundleContext context, List<String> filters)
      throws LaunchException {
    try {
      for (String filter : filters) {
        if (context.getAllServiceReferences(null, filter) == null) {
          return false;
        }
      }
      return true;
    } catch (InvalidSyntaxException e) {
      throw new LaunchException(LaunchException.ERROR, "features/: " + e.getMessage());
    }
  }

  /** Waits until the framework has stopped. */
  void await() {
    try {
      framework.waitForStop(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    try {
      framework.stop();
      if (framework.waitForStop(STOP_MILLIS).getType() == FrameworkEvent.WAIT_TIMEDOUT) {
        System.err.println("weft: was not stopped after 10 s, ends all the same");
      }
    } catch (BundleException e) {
      System.err.println("weft: did not stop cleanly: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
