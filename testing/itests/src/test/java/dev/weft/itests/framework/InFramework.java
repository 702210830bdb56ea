package dev.weft.itests.framework;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.ops4j.pax.exam.CoreOptions;
import org.ops4j.pax.exam.ExamSystem;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.TestAddress;
import org.ops4j.pax.exam.TestContainer;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.nat.internal.NativeTestContainerFactory;
import org.ops4j.pax.exam.spi.DefaultExamSystem;

/**
 * Runs each test method of a class inside a real framework with the manager's bundles, from the
 * assembled distribution. Pax Exam has no driver for JUnit 5: this one hands every method to its
 * raw probe invoker. A test method takes the {@code BundleContext} as its only argument.
 */
final class InFramework implements BeforeAllCallback, AfterAllCallback, InvocationInterceptor {
  private static final Path HOME =
      Path.of("../../distribution/archive/target/weft").toAbsolutePath();

  /** Bundles that Pax Exam itself needs inside the framework, from the class path of the tests. */
  private static final List<String> EXAM_BUNDLES =
      List.of(
          "ops4j-base",
          "pax-swissbox-core",
          "pax-swissbox-extender",
          "pax-swissbox-lifecycle",
          "pax-swissbox-tracker",
          "jakarta.inject-api",
          "pax-exam",
          "pax-exam-inject",
          "pax-exam-extender-service");

  private Path data;
  private ExamSystem system;
  private TestContainer container;

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    data = Files.createTempDirectory("weft-framework");
    system = DefaultExamSystem.create(options());
    container = new NativeTestContainerFactory().create(system)[0];
    container.start();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    container.stop();
    system.clear();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    TestProbeBuilder probe = system.createProbe();
    probe.setHeader("DynamicImport-Package", "*");
    TestAddress address = probe.addTest(method.getTargetClass(), method.getExecutable().getName());
    container.installProbe(probe.build().getStream());
    try {
      container.call(address);
    } finally {
      container.uninstallProbe();
    }
  }

  private Option[] options() throws Exception {
    List<Option> options = new ArrayList<>();
    options.add(CoreOptions.frameworkStartLevel(100));
    property(options, "weft.home", HOME.toString());
    property(options, "weft.data", data.toString());
    property(options, "weft.run", privateFolder(data.resolve("run")).toString());
    property(options, "weft.roles", "manager");
    property(options, "weft.version", "test");
    property(
        options, "felix.fileinstall.dir", Files.createDirectory(data.resolve("deploy")).toString());
    property(options, "felix.fileinstall.poll", "200");
    property(options, "felix.fileinstall.tmpdir", data.resolve("tmp").toString());
    property(options, "gosh.args", "--nointeractive --noshutdown");
    property(options, "gosh.home", HOME.toString());
    property(
        options,
        "org.ops4j.pax.logging.StaticLogbackFile",
        HOME.resolve("etc/logback.xml").toString());
    System.setProperty("weft.data", data.toString());
    options.add(
        CoreOptions.systemPackages(
            "org.junit.jupiter.api",
            "org.junit.jupiter.api.extension",
            "org.junit.jupiter.api.function",
            "org.opentest4j"));
    for (String name : EXAM_BUNDLES) {
      options.add(CoreOptions.bundle("reference:" + onClassPath(name).toUri()).startLevel(2));
    }
    feature("manager", options);
    return options.toArray(new Option[0]);
  }

  private static Path privateFolder(Path folder) throws IOException {
    return Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static Path onClassPath(String artifact) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().matches(artifact + "-\\d[\\d.]*\\.jar"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(artifact + " is not on the class path"));
  }

  private static void property(List<Option> options, String name, String value) {
    options.add(CoreOptions.frameworkProperty(name).value(value));
  }

  private static void feature(String name, List<Option> options) {
    try {
      for (String line : Files.readAllLines(HOME.resolve("features/" + name + ".list"))) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("include")) {
          feature(words[1], options);
        } else if (words[0].matches("\\d+")) {
          Path jar = HOME.resolve("system/" + words[1] + ".jar");
          options.add(
              CoreOptions.bundle("reference:" + jar.toUri())
                  .startLevel(Integer.parseInt(words[0])));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
