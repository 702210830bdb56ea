package dev.weft.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.testkit.cluster.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What dispatching costs: a manager and agents as real processes on loopback. Tasks that do nothing
 * show the dispatch alone, at full load and one at a time; tasks that are processes stand beside
 * bare starts of the same program, two at a time, with the fastest setting of the Java runtime.
 */
public final class Dispatch {
  private static final int AGENTS = 2;
  private static final int NOTHINGS = 100_000;
  private static final int SINGLES = 2_000;
  private static final int PROCESSES = 6_000;
  private static final String MECHANISM = "jdk.lang.Process.launchMechanism";

  private final Cluster cluster;
  private final JobRuns jobs;

  private Dispatch(Cluster cluster, Path folder) {
    this.cluster = cluster;
    this.jobs = new JobRuns(cluster, folder);
  }

  /**
   * Runs it.
   *
   * @param arguments the unpacked distribution; {@code noop} or {@code process} to measure only
   *     that
   */
  public static void main(String[] arguments) throws Exception {
    System.setProperty(MECHANISM, "VFORK");
    Path work = Files.createTempDirectory("weft-dispatch");
    try (Cluster cluster = new Cluster(Path.of(arguments[0]).toAbsolutePath(), work, "")) {
      new Dispatch(cluster, work).run(Set.of(arguments));
    }
  }

  private void run(Set<String> chosen) throws Exception {
    cluster.startManager();
    for (int i = 0; i < AGENTS; i++) {
      cluster.startAgent("agent-" + i, "offer.cpu = 2");
    }
    cluster.awaitReady(AGENTS);
    if (!chosen.contains("process")) {
      nothings();
      singles();
    }
    if (!chosen.contains("noop")) {
      processes();
    }
  }

  private void nothings() throws IOException {
    System.err.println("dispatching " + NOTHINGS + " tasks that do nothing, twice");
    String job =
        """
        name: nothing
        executor: noop
        input: { count: %d }
        demand: { cpu: 4m, memory: 1MiB }
        """;
    jobs.run(job.formatted(NOTHINGS)); // warms the virtual machines up
    print("dispatch.noop.rate", JobRuns.rate(jobs.run(job.formatted(NOTHINGS))), "tasks/s", 10_000);
  }

  /** One task after the other: from the end of one to the end of the next. */
  private void singles() throws IOException {
    System.err.println("dispatching " + SINGLES + " tasks that do nothing, one at a time");
    JsonNode job =
        jobs.run(
            """
            name: single
            executor: noop
            parallel: 1
            input: { count: %d }
            demand: { cpu: 4m, memory: 1MiB }
            """
                .formatted(SINGLES));
    JsonNode tasks =
        cluster.client("job", "status", job.get("id").asText(), "--tasks", "--json").json();
    List<Instant> ends = new ArrayList<>();
    for (JsonNode task : tasks.get("tasks")) {
      JsonNode attempts = task.get("attempts");
      ends.add(Instant.parse(attempts.get(attempts.size() - 1).get("ended").asText()));
    }
    ends.sort(null);
    List<Double> times = new ArrayList<>();
    for (int i = ends.size() / 4; i < ends.size(); i++) { // the first warm it up
      times.add(Duration.between(ends.get(i - 1), ends.get(i)).toNanos() / 1e6);
    }
    times.sort(null);
    print("dispatch.noop.p50_ms", times.get(times.size() / 2), "ms", 2);
    print("dispatch.noop.p99_ms", times.get(times.size() * 99 / 100), "ms", 0);
  }

  private void processes() throws Exception {
    System.err.println("dispatching " + PROCESSES + " processes, twice");
    String job =
        """
        name: processes
        command: ['/bin/true']
        input: { count: %d }
        demand: { cpu: 100m, memory: 1MiB }
        """
            .formatted(PROCESSES);
    jobs.run(job);
    double rate = JobRuns.rate(jobs.run(job));
    double bare = bareRate();
    print("dispatch.process.rate", rate, "tasks/s", 0);
    print("dispatch.process.bare_rate", bare, "processes/s", 0);
    print("dispatch.process.ratio", rate / bare, "", 0.8);
  }

  private static void print(String name, double value, String unit, double goal) {
    Map<String, Object> parameters =
        new TreeMap<>(
            Map.of("transport", "coap", "security", "none", "durable", false, "agents", AGENTS));
    if (goal > 0) {
      parameters.put("goal", goal);
    }
    System.out.println(new Figure(name, value, unit, parameters).toJson());
  }

  /** Processes a second that this virtual machine starts and waits for, two at a time. */
  static double bareRate() throws InterruptedException {
    long begin = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Thread thread = new Thread(() -> bareProcesses(PROCESSES / 2));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return PROCESSES / ((System.nanoTime() - begin) / 1e9);
  }

  private static void bareProcesses(int count) {
    try {
      for (int i = 0; i < count; i++) {
        new ProcessBuilder("/bin/true").start().waitFor();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
