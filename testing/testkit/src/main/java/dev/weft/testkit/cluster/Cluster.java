package dev.weft.testkit.cluster;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A manager and agents as real processes on this machine, from an unpacked distribution. They find
 * each other on the loopback interface, on a discovery port of their own. Closing it ends them all.
 */
public final class Cluster implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(3);
  private static final long CLIENT_SECONDS = 240;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path home;
  private final Path work;
  private final int discoveryPort;
  private final String javaOptions;
  private final Map<String, WeftProcess> processes = new LinkedHashMap<>();

  /**
   * A cluster without processes yet.
   *
   * @param home an unpacked distribution
   * @param work an empty folder
   * @param javaOptions options for each Java machine, on top of what the distribution gives it;
   *     empty for none
   */
  public Cluster(Path home, Path work, String javaOptions) {
    this.home = home;
    this.work = work;
    this.javaOptions = javaOptions;
    this.discoveryPort = freePort();
  }

  private static int freePort() {
    try (DatagramSocket socket = new DatagramSocket()) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the manager. */
  public WeftProcess startManager() {
    return start("manager", "manager", List.of(), Map.of());
  }

  /** Starts an agent, or starts it again with the data it left. Settings are lines of its file. */
  public WeftProcess startAgent(String name, String... settings) {
    return start(name, "agent", List.of(), Map.of("weft.agent", List.of(settings)));
  }

  /**
   * Starts a process.
   *
   * @param name what to call it; names its data directory
   * @param profile manager, agent or all-in-one
   * @param prefix command to put in front, such as {@code ip netns exec one}
   * @param settings lines per configuration file, added to those that keep the cluster apart
   */
  public WeftProcess start(
      String name, String profile, List<String> prefix, Map<String, List<String>> settings) {
    try {
      Path folder = Files.createDirectories(work.resolve(name));
      Map<String, List<String>> files = new LinkedHashMap<>();
      files.put("weft.coap", new ArrayList<>(List.of("discovery.port = " + discoveryPort)));
      files.put("weft.bus", new ArrayList<>(List.of("port = 0", "name = " + name)));
      settings.forEach(
          (file, lines) -> files.computeIfAbsent(file, key -> new ArrayList<>()).addAll(lines));
      Path etc = Files.createDirectories(folder.resolve("etc"));
      for (var file : files.entrySet()) {
        Files.write(etc.resolve(file.getKey() + ".cfg"), file.getValue());
      }
      List<String> command = new ArrayList<>(prefix);
      command.addAll(
          List.of(
              home.resolve("bin/weft").toString(),
              profile,
              "--data",
              folder.resolve("data").toString(),
              "--etc",
              etc.toString()));
      Path output = folder.resolve("output.txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      builder.environment().put("WEFT_JAVA_OPTS", javaOptions);
      WeftProcess started = new WeftProcess(name, folder.resolve("data"), output, builder.start());
      processes.put(name, started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A process by its name. */
  public WeftProcess process(String name) {
    return processes.get(name);
  }

  /** Waits until the manager lists so many nodes as ready. */
  public void awaitReady(int agents) {
    await("ready agents: " + agents)
        .atMost(READY)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> readyNodes() == agents);
  }

  /** How many nodes the manager lists as ready; none while it cannot be asked. */
  public long readyNodes() {
    Answer answer = client("node", "list", "--json");
    if (answer.exitCode() != 0) {
      return 0;
    }
    long ready = 0;
    for (JsonNode node : answer.json().get("nodes")) {
      ready += node.path("state").asText().equals("READY") ? 1 : 0;
    }
    return ready;
  }

  /** Runs a client command against the manager and waits for its end. */
  public Answer client(String... arguments) {
    return client(List.of(), "", arguments);
  }

  /** Runs a client command with a command in front of it and something on its standard input. */
  public Answer client(List<String> prefix, String input, String... arguments) {
    try {
      Path in = Files.createTempFile(work, "in", ".txt");
      Path out = Files.createTempFile(work, "out", ".txt");
      Path err = Files.createTempFile(work, "err", ".txt");
      Files.writeString(in, input);
      Process process =
          new ProcessBuilder(clientCommand(prefix, arguments))
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!process.waitFor(CLIENT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(
            String.join(" ", arguments) + " did not end:\n" + Files.readString(err));
      }
      return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The command line of a client of this cluster's manager. */
  public List<String> clientCommand(List<String> prefix, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(home.resolve("bin/weft").toString());
    command.addAll(Arrays.asList(arguments));
    command.add("--data");
    command.add(work.resolve("manager/data").toString());
    return command;
  }

  /**
   * Process ids of everything that a node's tasks started, found by the mark in their environment.
   *
   * @param node full node id
   */
  public static List<Long> processesOf(String node) {
    String mark = "WEFT_NODE=" + node;
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> environment(pid).contains(mark))
        .toList();
  }

  private static List<String> environment(long pid) {
    try (InputStream in = Files.newInputStream(Path.of("/proc/" + pid + "/environ"))) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return List.of(); // it has just ended, or belongs to somebody else
    }
  }

  /** Ends every process that still runs. */
  @Override
  public void close() {
    processes.values().forEach(process -> process.signal("CONT"));
    processes.values().forEach(process -> process.signal("TERM"));
    processes.values().forEach(WeftProcess::stop);
  }

  /**
   * What a client command gave.
   *
   * @param exitCode its exit code
   * @param out its standard output
   * @param err its standard error
   */
  public record Answer(int exitCode, String out, String err) {
    /** The standard output as JSON. */
    public JsonNode json() {
      try {
        return JSON.readTree(out);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("not JSON: " + out + err, e);
      }
    }
  }
}
