package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.core.staging.StagingException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContentCacheTest extends StagingFixture {
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
  void whatATaskDoesToItsCopyStaysWithIt() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("a", bytes));
    Path first = target();
    Path second = target();
    client.fetch(address, content, first);
    client.fetch(address, content, second);
    Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rw-------"));
    Files.write(first, new byte[1], StandardOpenOption.APPEND);
    area.close();
    Path third = target();

    client.fetch(address, content, third);

    assertArrayEquals(bytes, Files.readAllBytes(second));
    assertArrayEquals(bytes, Files.readAllBytes(third));
    assertEquals("r--r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(third)));
  }

  @Test
  void damagedCacheFileIsBroughtAgain() throws Exception {
    byte[] bytes = bytes(1, 100_000);
    ContentId content = offer(file("a", bytes));
    client.fetch(address, content, target());
    Path cached;
    try (Stream<Path> files = Files.walk(folder)) {
      cached =
          files
              .filter(file -> file.getFileName().toString().equals(content.sha256()))
              .findFirst()
              .orElseThrow();
    }
    Files.setPosixFilePermissions(cached, PosixFilePermissions.fromString("rw-r--r--"));
    Files.write(cached, new byte[1], StandardOpenOption.APPEND);
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
}
