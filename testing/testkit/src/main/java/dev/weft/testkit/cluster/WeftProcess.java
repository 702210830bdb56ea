package dev.weft.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A manager or agent that runs as a process of its own. */
public final class WeftProcess {
  private static final long STOP_SECONDS = 20;

  private final String name;
  private final Path data;
  private final Path output;
  private final Process process;

  WeftProcess(String name, Path data, Path output, Process process) {
    this.name = name;
    this.data = data;
    this.output = output;
    this.process = process;
  }

  /** What the test calls it. */
  public String name() {
    return name;
  }

  /** Its data directory. */
  public Path data() {
    return data;
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** All that it has printed. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends it a signal, such as {@code STOP}. */
  public void signal(String signal) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      kill.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it at once, as a crash would. */
  public void kill() {
    signal("KILL");
    await();
  }

  /** Stops it as an operator would; returns its exit code. */
  public int stop() {
    signal("CONT");
    signal("TERM");
    await();
    return process.exitValue();
  }

  private void await() {
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(
            name + " did not end within " + STOP_SECONDS + " s:\n" + output());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
