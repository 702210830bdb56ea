package dev.weft.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to events while the loop's queue is full. */
class MailboxTest {
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final List<Integer> order = new ArrayList<>();
  private final Mailbox<Runnable> mailbox =
      new Mailbox<>(action -> queue.size() < 2 && queue.add(action));

  private Runnable number(int number) {
    return () -> order.add(number);
  }

  private void runOne() {
    queue.remove().run();
  }

  @Test
  void nothingIsLostAndTheOrderStays() {
    for (int i = 1; i <= 5; i++) {
      mailbox.post(number(i));
    }
    runOne();
    mailbox.post(number(6)); // there is room, but others were first
    for (int i = 0; i < 5; i++) {
      mailbox.drain();
      runOne();
    }
    assertEquals(List.of(1, 2, 3, 4, 5, 6), order);
  }

  @Test
  void whatMayBeRefusedIsRefused() {
    assertTrue(mailbox.offer(number(1)));
    assertTrue(mailbox.offer(number(2)));
    assertFalse(mailbox.offer(number(3)));
    mailbox.post(number(4));
    runOne();
    assertFalse(mailbox.offer(number(5)), "another waits already");
    mailbox.drain();
    runOne();
    assertTrue(mailbox.offer(number(6)));
  }
}
