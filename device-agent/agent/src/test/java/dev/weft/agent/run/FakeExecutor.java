package dev.weft.agent.run;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs nothing: a function says what comes out and how it ends; without an ending it runs on. */
public final class FakeExecutor implements Executor {
  /** What a command does. */
  public record Play(String output, String errors, Optional<Ending> ending) {
    /** Writes and ends. */
    public static Play ends(String output, String errors, Ending ending) {
      return new Play(output, errors, Optional.of(ending));
    }

    /** Runs until it is stopped. */
    public static Play runs() {
      return new Play("", "", Optional.empty());
    }
  }

  private final Function<Launch, Play> plays;
  private final Map<Launch, Consumer<Ending>> running = new ConcurrentHashMap<>();

  /** Everything started, in order. */
  public final LinkedBlockingQueue<Launch> launches = new LinkedBlockingQueue<>();

  /** How often remains were asked to be ended. */
  public final AtomicInteger cleared = new AtomicInteger();

  /** An executor of such commands. */
  public FakeExecutor(Function<Launch, Play> plays) {
    this.plays = plays;
  }

  @Override
  public Execution start(Launch launch, Consumer<Ending> ended) {
    Play play = plays.apply(launch);
    launches.add(launch);
    try {
      Files.writeString(launch.output(), play.output());
      Files.writeString(launch.errors(), play.errors());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (play.ending().isPresent()) {
      // Before the execution is handed out, as a very short command may.
      ended.accept(play.ending().get());
    } else {
      running.put(launch, ended);
    }
    return grace -> stop(launch, grace);
  }

  private void stop(Launch launch, Duration grace) {
    Consumer<Ending> ended = running.remove(launch);
    if (ended != null && !grace.isNegative()) {
      ended.accept(new Ending.Stopped());
    }
  }

  @Override
  public int endRemains(NodeId node) {
    return cleared.getAndIncrement();
  }
}
