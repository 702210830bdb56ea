package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
  @TempDir private Path data;

  private NodeFiles files() {
    return new NodeFiles(data.resolve("bus"));
  }

  private Path file(String name) {
    return data.resolve("bus").resolve(name);
  }

  @Test
  void theIdStaysAndTheBootRises() throws IOException {
    var id = files().id();
    for (long boot = 1; boot <= 3; boot++) {
      assertEquals(boot, files().nextBoot());
      assertEquals(id, files().id());
    }
    assertNotEquals(id, new NodeFiles(data.resolve("another")).id());
  }

  @Test
  void onlyThisUserCanReadThem() throws IOException {
    files().id();
    files().nextBoot();
    for (String name : List.of("key.pem", "boot")) {
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file(name))));
    }
    try (Stream<Path> left = Files.list(data.resolve("bus"))) {
      assertEquals(2, left.count(), "no temporary file stays");
    }
  }

  @Test
  void aDamagedKeyIsAnErrorAndStays() throws IOException {
    files().id();
    byte[] good = Files.readAllBytes(file("key.pem"));
    for (byte[] damaged :
        List.of(
            new byte[0],
            "no key".getBytes(StandardCharsets.US_ASCII),
            Arrays.copyOf(good, good.length / 2),
            new byte[10_000])) {
      Files.write(file("key.pem"), damaged);
      refused("key.pem", () -> files().id());
      assertEquals(damaged.length, Files.size(file("key.pem")), "not replaced");
    }
    String text = new String(good, StandardCharsets.US_ASCII);
    int middle = text.indexOf("PUBLIC KEY-----") + 20;
    Files.writeString(file("key.pem"), text.substring(0, middle) + text.substring(middle + 4));
    refused("key.pem", () -> files().id());
  }

  @Test
  void halvesOfTwoKeysAreAnError() throws IOException {
    files().id();
    new NodeFiles(data.resolve("another")).id();
    String mine = Files.readString(file("key.pem"));
    String other = Files.readString(data.resolve("another/key.pem"));
    String cut = "-----BEGIN PUBLIC";
    Files.writeString(
        file("key.pem"),
        mine.substring(0, mine.indexOf(cut)) + other.substring(other.indexOf(cut)));
    refused("key.pem", () -> files().id());
  }

  @Test
  void aDamagedBootNumberIsAnErrorAndStays() throws IOException {
    files().nextBoot();
    for (String damaged :
        List.of("", "\n", "seven", "1 2", "-5", "0x10", String.valueOf(Long.MAX_VALUE))) {
      Files.writeString(file("boot"), damaged);
      refused("boot", () -> files().nextBoot());
      assertEquals(damaged, Files.readString(file("boot")), "not replaced");
    }
  }

  private void refused(String name, Executable action) {
    IOException error = assertThrows(IOException.class, action);
    assertTrue(error.getMessage().contains(file(name).toString()), error.getMessage());
  }
}
