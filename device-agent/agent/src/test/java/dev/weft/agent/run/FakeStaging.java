package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.core.staging.StagingClient;
import dev.weft.core.staging.StagingException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Staging without a network. */
public final class FakeStaging implements StagingClient {
  /** What can be fetched. */
  public final Map<ContentId, String> contents = new ConcurrentHashMap<>();

  /** What was delivered. */
  public final Map<AttemptId, String> delivered = new ConcurrentHashMap<>();

  /** How many deliveries still fail. */
  public final AtomicInteger failures = new AtomicInteger();

  /** Content that never arrives. */
  public final ContentId endless = id("e", 1);

  /** Counted down when the endless one was asked for. */
  public final CountDownLatch waiting = new CountDownLatch(1);

  static ContentId id(String digit, long length) {
    return new ContentId(digit.repeat(64), length);
  }

  static ContentId id(int number) {
    return new ContentId(String.format("%064x", number), number);
  }

  @Override
  public void fetch(InetSocketAddress from, ContentId content, Path target)
      throws StagingException {
    if (content.equals(endless)) {
      waiting.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw failure("staging.unreachable", true);
      }
    }
    if (!contents.containsKey(content)) {
      throw failure("staging.unknown", false);
    }
    try {
      Files.writeString(target, contents.get(content));
    } catch (IOException e) {
      throw new StagingException(
          new Fault("staging.disk", Fault.Category.RESOURCES, e.toString(), true), e);
    }
  }

  @Override
  public ContentId deliver(InetSocketAddress to, AttemptId attempt, Path file)
      throws StagingException {
    if (failures.getAndDecrement() > 0) {
      throw failure("staging.unreachable", true);
    }
    try {
      String text = Files.readString(file);
      delivered.put(attempt, text);
      return id(text.length());
    } catch (IOException e) {
      throw new StagingException(
          new Fault("staging.disk", Fault.Category.RESOURCES, e.toString(), true), e);
    }
  }

  private static StagingException failure(String code, boolean retry) {
    return new StagingException(
        new Fault(code, Fault.Category.EXTERNAL, "as the test wants", retry), null);
  }
}
