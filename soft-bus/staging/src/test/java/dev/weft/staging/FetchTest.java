package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import dev.weft.core.staging.StagingException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchTest extends StagingFixture {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 262_144, 3_000_001})
  void contentArrivesReadOnly(int length) throws Exception {
    byte[] bytes = bytes(length, length);
    ContentId content = offer(file("input", bytes));
    Path target = target();

    client.fetch(address, content, target);

    assertArrayEquals(bytes, Files.readAllBytes(target));
    assertEquals(
        PosixFilePermissions.fromString("r--r--r--"), Files.getPosixFilePermissions(target));
  }

  @Test
  void contentIsPutTogetherFromSegments() throws Exception {
    Path file = file("input", "header\nskipped\nbody\n".getBytes(StandardCharsets.UTF_8));
    byte[] expected = "header\nbody\n".getBytes(StandardCharsets.UTF_8);
    ContentId content = Transfer.contentOf(expected);
    area.offer(
        JOB, content, new Source(List.of(new Segment(file, 0, 7), new Segment(file, 15, 5))));
    Path target = target();

    client.fetch(address, content, target);

    assertArrayEquals(expected, Files.readAllBytes(target));
  }

  @Test
  void whatIsNotOfferedIsUnknown() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100)));
    area.forget(JOB);

    Fault fault = fetchFault(address, content);

    assertEquals("staging.unknown", fault.code());
    assertFalse(fault.retry());
  }

  @Test
  void contentOfTwoJobsStaysUntilBothAreForgotten() throws Exception {
    Path file = file("input", bytes(1, 100));
    ContentId content = offer(file);
    area.offer(new JobId("f".repeat(32)), content, new Source(List.of(new Segment(file, 0, 100))));
    area.forget(JOB);

    client.fetch(address, content, target());
  }

  @Test
  void vanishedFileIsNamed() throws Exception {
    Path file = file("input", bytes(1, 100));
    ContentId content = offer(file);
    Files.delete(file);

    Fault fault = fetchFault(address, content);

    assertEquals("staging.vanished", fault.code());
    assertEquals(
        "the input file " + file + " is gone; put it back and submit the job again",
        fault.message());
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 100})
  void changedFileIsNamed(int newLength) throws Exception {
    Path file = file("input", bytes(1, 100));
    ContentId content = offer(file);
    Files.write(file, bytes(2, newLength));

    Fault fault = fetchFault(address, content);

    assertEquals("staging.mismatch", fault.code());
    assertEquals(
        "the input file " + file + " changed since the job was submitted; submit the job again",
        fault.message());
  }

  @Test
  void brokenConnectionIsTriedAgain() throws Exception {
    byte[] bytes = bytes(1, 2_000_000);
    ContentId content = offer(file("input", bytes));
    try (Proxy proxy =
        new Proxy(
            area.port(),
            (connection, position, block, length) ->
                connection < 3 && position > 900_000 ? 0 : length)) {
      Path target = target();

      client.fetch(proxy.address(), content, target);

      assertArrayEquals(bytes, Files.readAllBytes(target));
      assertEquals(3, proxy.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 6, 30, 500_000})
  void connectionThatAlwaysBreaksIsUnreachable(long at) throws Exception {
    ContentId content = offer(file("input", bytes(1, 1_000_000)));
    try (Proxy proxy =
        new Proxy(
            area.port(),
            (connection, position, block, length) ->
                (int) Math.min(length, Math.max(0, at - position)))) {

      Fault fault = fetchFault(proxy.address(), content);

      assertEquals("staging.unreachable", fault.code());
      assertTrue(fault.retry());
    }
  }

  @Test
  void bytesDamagedOnTheWayAreFetchedAgain() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("input", bytes));
    boolean[] done = new boolean[1];
    try (Proxy proxy =
        new Proxy(
            area.port(),
            (connection, position, block, length) -> {
              if (position > 50_000 && !done[0]) {
                done[0] = true;
                block[0] ^= 1;
              }
              return length;
            })) {
      Path target = target();

      client.fetch(proxy.address(), content, target);

      assertArrayEquals(bytes, Files.readAllBytes(target));
    }
  }

  @Test
  void garbledFramesNeverGiveAFile() throws Exception {
    ContentId content = offer(file("input", bytes(1, 5_000)));
    for (int seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      int at = random.nextInt(80);
      try (Proxy proxy =
          new Proxy(
              area.port(),
              (connection, position, block, length) -> {
                for (int i = 0; i < length; i++) {
                  if (position + i == at) {
                    block[i] = (byte) ~block[i];
                  }
                }
                return length;
              })) {
        Path target = target();
        try {
          client.fetch(proxy.address(), content, target);
          // Only the name in the answer is not checked.
          assertEquals(content, Transfer.contentOf(target), "seed " + seed);
        } catch (StagingException e) {
          assertFalse(Files.exists(target), "seed " + seed);
        }
      }
      restartClient();
    }
  }

  @Test
  void nobodyThereIsUnreachable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ContentId content = new ContentId("a".repeat(64), 5);

    Fault fault =
        fetchFault(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), content);

    assertEquals("staging.unreachable", fault.code());
    assertTrue(fault.message().contains("refused"), fault.message());
  }

  @Test
  void silentPeerIsUnreachable() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress there =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());
      long start = System.nanoTime();

      Fault fault = fetchFault(there, new ContentId("a".repeat(64), 5));

      assertEquals("staging.unreachable", fault.code());
      assertTrue(fault.message().endsWith("waited too long for data"), fault.message());
      assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) < 5);
    }
  }

  @Test
  void fullDiskOfTheNodeIsNamed() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100_000)));
    client.close();
    client = client(new FullDisk(new Disk.Local(), 66_000), 16 * MIB, TIMEOUT);

    Fault fault = fetchFault(address, content);

    assertEquals("staging.disk", fault.code());
    assertTrue(fault.message().contains("No space left on device; 64.5 KiB"), fault.message());
    assertTrue(fault.message().contains("node/fetching/"), fault.message());
  }
}
