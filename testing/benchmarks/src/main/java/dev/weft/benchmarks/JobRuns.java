package dev.weft.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weft.testkit.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** Jobs that a benchmark runs through the command line, as a user would. */
final class JobRuns {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration LOOK = Duration.ofMillis(300);

  private final Cluster cluster;
  private final Path folder;

  /**
   * Jobs of a cluster.
   *
   * @param folder for job files
   */
  JobRuns(Cluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /** Runs a job; returns it as it is at its end. */
  JsonNode run(String jobFile) throws IOException {
    return awaitEnd(submit(jobFile));
  }

  /** Submits a job; returns its id. */
  String submit(String jobFile) throws IOException {
    Path file = Files.writeString(folder.resolve("job.yaml"), jobFile);
    Cluster.Answer answer = cluster.client("job", "run", "--detach", "--json", file.toString());
    if (answer.exitCode() != 0) {
      throw new IllegalStateException("not accepted: " + answer.err());
    }
    return answer.json().get("id").asText();
  }

  /** Waits until a job is completed. */
  JsonNode awaitEnd(String job) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      JsonNode view = cluster.client("job", "status", job, "--json").json();
      if (view.get("state").asText().equals("COMPLETED")) {
        return view;
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    throw new IllegalStateException("job " + job + " did not end within " + PATIENCE);
  }

  /** Tasks a second of a job that is completed, from its first dispatch to its end. */
  static double rate(JsonNode job) {
    Duration time =
        Duration.between(
            Instant.parse(job.get("started").asText()), Instant.parse(job.get("ended").asText()));
    return job.get("counts").get("total").asInt() / (time.toNanos() / 1e9);
  }
}
