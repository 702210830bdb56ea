package dev.weft.staging;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import dev.weft.core.staging.StagingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class StagingTest {
  private static final JobId JOB = new JobId("0123456789abcdef0123456789abcdef");
  private static final AttemptId ATTEMPT = new AttemptId(new TaskId(JOB, 7), 2);
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final long MIB = 1 << 20;

  @TempDir Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private ManagerStagingArea area;
  private NodeStagingClient client;
  private InetSocketAddress address;
  private int targets;

  @BeforeEach
  void start() throws IOException {
    area = area(new Disk.Local(), 256);
    client = client(new Disk.Local(), 16 * MIB, TIMEOUT);
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), area.port());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private ManagerStagingArea area(Disk disk, int connections) throws IOException {
    ManagerStagingArea made =
        new ManagerStagingArea(
            folder.resolve("manager" + open.size()),
            List.of(InetAddress.getLoopbackAddress()),
            new ManagerStagingArea.Setup(0, connections, TIMEOUT, Duration.ofSeconds(5), 0),
            disk);
    open.add(made);
    return made;
  }

  private NodeStagingClient client(Disk disk, long cache, Duration timeout) throws IOException {
    NodeStagingClient made =
        new NodeStagingClient(
            Files.createDirectories(folder.resolve("node")),
            new NodeStagingClient.Setup(cache, timeout, Duration.ofSeconds(1)),
            disk);
    open.add(made);
    return made;
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private ContentId offer(Path file) throws IOException {
    ContentId content = Transfer.contentOf(file);
    area.offer(JOB, content, new Source(List.of(new Segment(file, 0, content.length()))));
    return content;
  }

  private Path target() {
    targets++;
    return folder.resolve("target" + targets);
  }

  private Fault fetchFault(InetSocketAddress from, ContentId content) {
    Path target = target();
    Fault fault =
        assertThrows(StagingException.class, () -> client.fetch(from, content, target)).fault();
    assertFalse(Files.exists(target));
    assertEquals(List.of(), list(folder.resolve("node/fetching")));
    return fault;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] read(Source source) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Segment segment : source.segments()) {
      byte[] all = Files.readAllBytes(segment.file());
      out.write(all, (int) segment.offset(), (int) segment.length());
    }
    return out.toByteArray();
  }

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

  private void restartClient() throws IOException {
    client.close();
    Folders.delete(folder.resolve("node"));
    client = client(new Disk.Local(), 16 * MIB, TIMEOUT);
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

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "WS\u0001\u0009\u0000\u0000", "\u0000"})
  void strangerIsCutOff(String greeting) throws Exception {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(greeting.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();

      assertEquals(-1, readOne(socket));
    }
  }

  @Test
  void slowlorisIsCutOff() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100)));
    byte[] request = new Request.Get(content).encode().array();
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(request, 0, 6);
      ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
      open.add(drip::shutdownNow);
      var unused = drip.scheduleWithFixedDelay(() -> write(out), 100, 100, TimeUnit.MILLISECONDS);
      long start = System.nanoTime();

      assertEquals(-1, readOne(socket));
      assertTrue(System.nanoTime() - start < TIMEOUT.toNanos() * 4);
    }
  }

  private static void write(OutputStream out) {
    try {
      out.write(0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A byte, or -1 if the peer closed in any way. */
  private static int readOne(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    try {
      return in.read();
    } catch (SocketException e) {
      return -1;
    }
  }

  @Test
  void peerThatTakesNothingIsCutOff() throws Exception {
    ContentId content = offer(file("input", bytes(1, 32 << 20)));
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write(new Request.Get(content).encode().array());

      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> area.connections() == 0 && socket.getInputStream().available() > 0);
    }
  }

  @Test
  void moreConnectionsThanTheLimitAreClosed() throws Exception {
    ManagerStagingArea small = area(new Disk.Local(), 2);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), small.port());
      open.add(socket);
      sockets.add(socket);
      int expected = Math.min(i + 1, 2);
      await().until(() -> small.connections() == expected);
    }
    sockets.get(2).setSoTimeout(5_000);

    assertEquals(-1, readOne(sockets.get(2)));
  }

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
  void fullDiskOfTheNodeIsNamed() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100_000)));
    client.close();
    client = client(new FullDisk(new Disk.Local(), 66_000), 16 * MIB, TIMEOUT);

    Fault fault = fetchFault(address, content);

    assertEquals("staging.disk", fault.code());
    assertTrue(fault.message().contains("No space left on device; 64.5 KiB"), fault.message());
    assertTrue(fault.message().contains("node/fetching/"), fault.message());
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

  @Test
  void cacheServesWithoutTheManager() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("input", bytes));
    client.fetch(address, content, target());
    area.close();
    Path target = target();

    client.fetch(address, content, target);

    assertArrayEquals(bytes, Files.readAllBytes(target));
  }

  @Test
  void cacheSurvivesARestartAndChecksWhatItFinds() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId good = offer(file("a", bytes));
    ContentId bad = offer(file("b", bytes(2, 100_000)));
    client.fetch(address, good, target());
    client.fetch(address, bad, target());
    client.close();
    Path damaged = folder.resolve("node/cache").resolve(bad.sha256());
    Files.delete(damaged);
    Files.write(damaged, bytes(3, 100_000));
    area.close();

    client = client(new Disk.Local(), 16 * MIB, TIMEOUT);
    Path target = target();
    client.fetch(address, good, target);

    assertArrayEquals(bytes, Files.readAllBytes(target));
    assertEquals("staging.unreachable", fetchFault(address, bad).code());
  }

  @Test
  void damagedCacheFileIsBroughtAgain() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("a", bytes));
    Path first = target();
    client.fetch(address, content, first);
    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rw-r--r--"));
    Files.write(first, new byte[1], StandardOpenOption.APPEND);
    Path second = target();

    client.fetch(address, content, second);

    assertArrayEquals(bytes, Files.readAllBytes(second));
  }

  @Test
  void leastUsedLeavesTheCacheFirst() throws Exception {
    restartClient();
    client.close();
    client = client(new Disk.Local(), 250_000, TIMEOUT);
    List<ContentId> contents = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      contents.add(offer(file("input" + i, bytes(i, 100_000))));
    }
    client.fetch(address, contents.get(0), target());
    client.fetch(address, contents.get(1), target());
    client.fetch(address, contents.get(0), target());
    client.fetch(address, contents.get(2), target());

    List<String> kept =
        list(folder.resolve("node/cache")).stream()
            .map(file -> file.getFileName().toString())
            .sorted()
            .toList();
    assertEquals(
        Stream.of(contents.get(0), contents.get(2)).map(ContentId::sha256).sorted().toList(), kept);
  }

  @Test
  void whatIsLargerThanTheCachePassesByIt() throws Exception {
    client.close();
    client = client(new Disk.Local(), 1_000, TIMEOUT);
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("input", bytes));
    Path target = target();

    client.fetch(address, content, target);

    assertArrayEquals(bytes, Files.readAllBytes(target));
    assertEquals(List.of(), list(folder.resolve("node/cache")));
  }

  @Test
  void fetchesOfOneContentShareATransfer() throws Exception {
    byte[] bytes = bytes(1, 4_000_000);
    ContentId content = offer(file("input", bytes));
    try (Proxy proxy = new Proxy(area.port(), (connection, position, block, length) -> length)) {
      fetchAll(64, i -> content, proxy.address());

      assertEquals(1, proxy.connections());
    }
  }

  @Test
  void manyFetchesAtATime() throws Exception {
    List<ContentId> contents = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      contents.add(offer(file("input" + i, bytes(i, 500_000))));
    }

    fetchAll(64, contents::get, address);
  }

  private interface Choice {
    ContentId of(int index);
  }

  private void fetchAll(int count, Choice choice, InetSocketAddress from) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    open.add(threads::shutdownNow);
    List<Callable<ContentId>> fetches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ContentId content = choice.of(i);
      Path target = target();
      fetches.add(
          () -> {
            client.fetch(from, content, target);
            return Transfer.contentOf(target);
          });
    }
    List<Future<ContentId>> results = threads.invokeAll(fetches);
    for (int i = 0; i < count; i++) {
      assertEquals(choice.of(i), results.get(i).get());
    }
  }

  @Test
  void existingTargetIsLeftAlone() throws Exception {
    ContentId content = offer(file("input", bytes(1, 100)));
    Path target = Files.writeString(target(), "mine");

    Fault fault =
        assertThrows(StagingException.class, () -> client.fetch(address, content, target)).fault();

    assertEquals("staging.disk", fault.code());
    assertEquals("mine", Files.readString(target));
  }

  @Test
  void aBadTargetIsNoMatterOfOthers() throws Exception {
    ContentId content = offer(file("input", bytes(1, 2_000_000)));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    open.add(threads::shutdownNow);
    List<Future<Boolean>> good = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Path target = i % 2 == 0 ? folder.resolve("gone/target") : target();
      Future<Boolean> fetched =
          threads.submit(
              () -> {
                client.fetch(address, content, target);
                return true;
              });
      if (i % 2 == 1) {
        good.add(fetched);
      }
    }
    for (Future<Boolean> fetched : good) {
      assertTrue(fetched.get());
    }
  }

  @Test
  void listensOnEveryAddressWithOnePort() throws Exception {
    InetAddress first = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    InetAddress second = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    ManagerStagingArea both =
        new ManagerStagingArea(
            folder.resolve("both"),
            List.of(first, second),
            new ManagerStagingArea.Setup(0, 8, TIMEOUT, TIMEOUT, 0),
            new Disk.Local());
    open.add(both);
    for (InetAddress address : List.of(first, second)) {
      try (Socket socket = new Socket(address, both.port())) {
        assertTrue(socket.isConnected());
      }
    }
  }
}
