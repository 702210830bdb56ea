package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest extends StagingFixture {
  @Test
  void resultIsDelivered() throws Exception {
    byte[] bytes = bytes(3, 1_000_000);
    Path file = file("result", bytes);

    ContentId content = client.deliver(address, ATTEMPT, file);

    assertEquals(Transfer.contentOf(bytes), content);
    assertArrayEquals(bytes, read(area.result(ATTEMPT.task(), content)));
  }

  @Test
  void resultsOfTwoAttemptsStayApart() throws Exception {
    AttemptId other = new AttemptId(ATTEMPT.task(), 3);
    ContentId first = client.deliver(address, ATTEMPT, file("a", bytes(1, 5_000)));
    ContentId second = client.deliver(address, other, file("b", bytes(2, 5_000)));
    ContentId again = client.deliver(address, other, file("b", bytes(1, 5_000)));

    assertEquals(first, again);
    assertArrayEquals(bytes(1, 5_000), read(area.result(ATTEMPT.task(), first)));
    assertArrayEquals(bytes(2, 5_000), read(area.result(ATTEMPT.task(), second)));
  }

  @Test
  void resultsOfAForgottenJobAreGoneAndRefused() throws Exception {
    Path file = file("result", bytes(3, 10_000));
    ContentId content = client.deliver(address, ATTEMPT, file);
    area.forget(JOB);

    assertThrows(IOException.class, () -> area.result(ATTEMPT.task(), content));
    Fault fault =
        assertThrows(StagingException.class, () -> client.deliver(address, ATTEMPT, file)).fault();
    assertEquals("staging.unknown", fault.code());
    assertThrows(IOException.class, () -> area.keep(ATTEMPT.task(), new byte[3]));
    assertEquals(List.of(), list(folder.resolve("manager0/results")));
  }

  @Test
  void brokenDeliveryIsTriedAgain() throws Exception {
    byte[] bytes = bytes(3, 1_000_000);
    try (Proxy proxy =
        new Proxy(
            area.port(),
            (connection, position, block, length) ->
                connection == 1 && position > 0 ? 0 : length)) {
      ContentId content = client.deliver(proxy.address(), ATTEMPT, file("result", bytes));

      assertArrayEquals(bytes, read(area.result(ATTEMPT.task(), content)));
      assertEquals(2, proxy.connections());
    }
    assertEquals(List.of(), list(folder.resolve("manager0/incoming")));
  }

  @Test
  void fullDiskOfTheManagerIsNamed() throws Exception {
    ManagerStagingArea full = area(new FullDisk(new Disk.Local(), 66_000), 8);
    InetSocketAddress there = new InetSocketAddress(InetAddress.getLoopbackAddress(), full.port());
    Path file = file("result", bytes(3, 100_000));

    Fault fault =
        assertThrows(StagingException.class, () -> client.deliver(there, ATTEMPT, file)).fault();

    assertEquals("staging.disk", fault.code());
    assertTrue(fault.message().startsWith("no room for 97.7 KiB in "), fault.message());
  }

  @Test
  void smallResultsShareAFile() throws Exception {
    List<ContentId> contents = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      contents.add(area.keep(new TaskId(JOB, i), bytes(i, i % 100)));
    }

    for (int i = 0; i < 2_000; i++) {
      assertArrayEquals(bytes(i, i % 100), read(area.result(new TaskId(JOB, i), contents.get(i))));
    }
    assertEquals(1, list(folder.resolve("manager0/results/" + JOB.hex())).size());
  }

  @Test
  void smallResultsOfManyJobsNeedFewOpenFiles() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        TaskId task = new TaskId(new JobId(String.format("%032x", i)), round);
        byte[] bytes = bytes(i * 100L + round, 50);

        ContentId content = area.keep(task, bytes);

        assertArrayEquals(bytes, read(area.result(task, content)));
      }
    }
  }
}
