package dev.weft.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.testkit.cluster.Cluster;
import dev.weft.testkit.cluster.WeftProcess;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The first figures: how fast manager and agent start, what an idle agent takes, how many processes
 * a second are dispatched to three agents, beside how many this machine starts with bare Java.
 */
public final class Smoke {
  private static final int ROUNDS = 3;
  private static final String JOB =
      """
      name: smoke
      command: ['true']
      input: { count: 1 }
      demand: { cpu: 100m, memory: 1MiB }
      """;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final String REPORTED = "reported to manager";

  private final Path home;
  private final Path work;
  private final List<Figure> figures = new ArrayList<>();

  private Smoke(Path home, Path work) {
    this.home = home;
    this.work = work;
  }

  /** Runs it; the only argument is the unpacked distribution. */
  public static void main(String[] arguments) throws Exception {
    Path work = Files.createTempDirectory("weft-smoke");
    try {
      Smoke smoke = new Smoke(Path.of(arguments[0]).toAbsolutePath(), work);
      smoke.starts();
      smoke.figures.forEach(figure -> System.out.println(figure.toJson()));
    } finally {
      delete(work);
    }
  }

  /** Start times and memory: the middle of several rounds. */
  private void starts() throws Exception {
    List<Double> prompt = new ArrayList<>();
    List<Double> ready = new ArrayList<>();
    List<Double> first = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      System.err.println("starts, round " + (round + 1) + " of " + ROUNDS);
      try (Cluster cluster =
          new Cluster(home, Files.createDirectory(work.resolve("s" + round)), "")) {
        prompt.add(prompt(cluster));
        JobRuns jobs = new JobRuns(cluster, work.resolve("s" + round));
        String job = jobs.submit(JOB);
        Instant begin = Instant.now();
        WeftProcess agent = cluster.startAgent("agent", "offer.cpu = 2");
        ready.add(secondsUntil(begin, () -> log(agent).contains(REPORTED)));
        JsonNode done = jobs.awaitEnd(job);
        first.add(seconds(begin, Instant.parse(done.get("ended").asText())));
        pause(IDLE);
        memory.add(residentMegabytes(agent.pid()));
      }
    }
    figures.add(new Figure("agent.ready_s", middle(ready), "s", Map.of("goal", 2)));
    figures.add(new Figure("agent.rss_mb", middle(memory), "MB", Map.of("goal", 130)));
    figures.add(new Figure("manager.prompt_s", middle(prompt), "s", Map.of("goal", 3)));
    figures.add(new Figure("agent.first_task_s", middle(first), "s", Map.of()));
  }

  /** From the start of the manager to the prompt of a console opened as soon as one can be. */
  private double prompt(Cluster cluster) throws IOException {
    Instant begin = Instant.now();
    WeftProcess manager = cluster.startManager();
    secondsUntil(begin, () -> listens(manager.data()));
    Path screen = Files.createTempFile(work, "screen", ".txt");
    String shell = String.join(" ", cluster.clientCommand(List.of(), "shell"));
    Process console =
        new ProcessBuilder("script", "-qfec", shell, screen.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return secondsUntil(begin, () -> read(screen).contains("weft>"));
    } finally {
      console.destroy();
    }
  }

  private static double secondsUntil(Instant begin, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (seconds(begin, Instant.now()) > PATIENCE.toSeconds()) {
        throw new IllegalStateException("waited " + PATIENCE + " in vain");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return seconds(begin, Instant.now());
  }

  private static boolean listens(Path data) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      Path socket = data.resolve("socket");
      return Files.exists(socket)
          && channel.connect(UnixDomainSocketAddress.of(Files.readString(socket).strip()));
    } catch (IOException e) {
      return false;
    }
  }

  private static String log(WeftProcess process) {
    return read(process.data().resolve("log/weft.log"));
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static double residentMegabytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6;
      }
    }
    throw new IOException("no resident size of process " + pid);
  }

  private static double middle(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
