package dev.weft.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Two hosts as network namespaces, joined by two links. On each host the interfaces are {@code w0}
 * and {@code w1}; host 0 has 10.77.0.1 and 10.77.1.1, host 1 has 10.77.0.2 and 10.77.1.2 (24 bits
 * each); link-local IPv6 is there at once. Needs {@link Needs#namespaces()}. Close it always.
 */
public final class TwoHosts implements AutoCloseable {
  private static final int LINKS = 2;
  private static final long COMMAND_SECONDS = 20;

  private final List<String> names;
  private final List<Program> programs = new ArrayList<>();

  /** Makes the hosts. */
  public TwoHosts() throws IOException {
    String prefix = "weft-" + ProcessHandle.current().pid() + "-" + System.nanoTime() % 100_000;
    names = List.of(prefix + "-a", prefix + "-b");
    try {
      for (String name : names) {
        ip("netns", "add", name);
        for (String scope : List.of("all", "default")) {
          command(
              "ip",
              "netns",
              "exec",
              name,
              "sysctl",
              "-qw",
              "net.ipv6.conf." + scope + ".accept_dad=0");
        }
        on(name, "link", "set", "lo", "up");
      }
      for (int link = 0; link < LINKS; link++) {
        String end = "w" + link;
        ip(
            "link",
            "add",
            end,
            "netns",
            names.get(0),
            "type",
            "veth",
            "peer",
            "name",
            end,
            "netns",
            names.get(1));
        for (int host = 0; host < names.size(); host++) {
          on(names.get(host), "address", "add", address(host, link) + "/24", "dev", end);
          on(names.get(host), "link", "set", end, "up");
        }
      }
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(this::hasUsableAddresses);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  // A new IPv6 address cannot be used before it is known to be the only one of its kind.
  private boolean hasUsableAddresses() throws IOException {
    for (String name : names) {
      String all = on(name, "-6", "address", "show", "scope", "link");
      if (all.contains("tentative") || all.split("inet6 fe80", -1).length <= LINKS) {
        return false;
      }
    }
    return true;
  }

  /** IPv4 address of a host on a link. */
  public static String address(int host, int link) {
    return "10.77." + link + "." + (host + 1);
  }

  /** Sets one end of a link down or up. */
  public void set(int host, int link, boolean up) throws IOException {
    on(names.get(host), "link", "set", "w" + link, up ? "up" : "down");
  }

  /**
   * Adds a pair of interfaces to a host, of which one has the address and nobody is at the other.
   */
  public void addLoneLink(int host, String end, String addressAndBits) throws IOException {
    String name = names.get(host);
    on(name, "link", "add", end, "type", "veth", "peer", "name", end + "x");
    on(name, "address", "add", addressAndBits, "dev", end);
    on(name, "link", "set", end + "x", "up");
    on(name, "link", "set", end, "up");
  }

  /** What to put in front of a command so that it runs on a host. */
  public List<String> prefix(int host) {
    return List.of("ip", "netns", "exec", names.get(host));
  }

  /** Runs a main class of this test's class path on a host. */
  public Program start(int host, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(prefix(host));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    Program program = new Program(new ProcessBuilder(command).redirectErrorStream(true).start());
    programs.add(program);
    return program;
  }

  /** Ends all programs and removes the hosts. */
  @Override
  public void close() {
    programs.forEach(Program::kill);
    for (String name : names) {
      try {
        ip("netns", "delete", name);
      } catch (IOException e) {
        System.out.println("could not remove a network namespace: " + e.getMessage());
      }
    }
  }

  private static String on(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "-n", name));
    command.addAll(List.of(arguments));
    return command(command.toArray(String[]::new));
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    command(command.toArray(String[]::new));
  }

  private static String command(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }

  /** A program that runs on a host. Its output is kept by line; end of input asks it to end. */
  public static final class Program {
    private static final int MAXIMUM_LINES = 100_000;

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Program(Process process) {
      this.process = process;
      Thread reader = new Thread(this::read, "output of a test program");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        String line = reader.readLine();
        while (line != null && lines.size() < MAXIMUM_LINES) {
          lines.add(line);
          line = reader.readLine();
        }
      } catch (IOException e) {
        lines.add("output ended: " + e.getMessage());
      }
    }

    /** What it has printed. */
    public List<String> lines() {
      return List.copyOf(lines);
    }

    /** Whether it has printed a line with all these parts, after the first so many lines. */
    public boolean printed(int after, String... parts) {
      return lines().stream()
          .skip(after)
          .anyMatch(line -> List.of(parts).stream().allMatch(line::contains));
    }

    /** Asks it to end. */
    public void finish() {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Its exit code, or -1 if it does not end in time. */
    public int await(long seconds) throws InterruptedException {
      return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    private void kill() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
