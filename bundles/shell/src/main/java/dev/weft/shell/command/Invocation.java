package dev.weft.shell.command;

import dev.weft.core.job.JobSource;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One run of a command. It runs on a thread of its own, which is interrupted when its user
 * interrupts it or goes away.
 *
 * @param services what it works with
 * @param display what its user sees it on, now
 * @param output standard output; not flushed by itself
 * @param errors standard error; not flushed by itself
 * @param jobFiles finds job files
 * @param console opens the console
 * @param clock the time
 */
public record Invocation(
    Services services,
    Supplier<Display> display,
    PrintStream output,
    PrintStream errors,
    JobFiles jobFiles,
    Console console,
    Clock clock) {
  /** Checks. */
  public Invocation {
    Objects.requireNonNull(services, "services");
    Objects.requireNonNull(display, "display");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(errors, "errors");
    Objects.requireNonNull(jobFiles, "jobFiles");
    Objects.requireNonNull(console, "console");
    Objects.requireNonNull(clock, "clock");
  }

  /** The time now. */
  public Instant now() {
    return clock.instant();
  }

  /** Prints a line of a message. */
  public void say(String line) {
    errors.print(line + '\n');
    errors.flush();
  }

  /** Finds job files. */
  @FunctionalInterface
  public interface JobFiles {
    /**
     * The job file that the user named.
     *
     * @param name path, or {@code -} for standard input
     * @throws CommandException if it cannot be read, with what to do about it
     */
    JobSource read(String name) throws CommandException;
  }

  /** The console of the running framework. */
  public interface Console {
    /**
     * Lets the user work in the console until he leaves it.
     *
     * @return exit code
     */
    int interactive(Display display) throws CommandException, InterruptedException;

    /**
     * Runs console commands.
     *
     * @param commands what to run; {@code -} to read it from standard input
     * @return exit code
     */
    int run(String commands) throws CommandException, InterruptedException;
  }
}
