package dev.weft.shell.client;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.shell.console.TestGogo;
import dev.weft.shell.fake.FakeServices;
import dev.weft.shell.fake.TestManager;
import dev.weft.testkit.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client as a process on a pseudo-terminal: raw mode, prompt, and the terminal put back. */
class PseudoTerminalTest {
  @TempDir private Path folder;

  private static boolean hasScript() {
    try {
      Process process = new ProcessBuilder("script", "--version").start();
      return process.waitFor(10, TimeUnit.SECONDS)
          && new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .contains("util-linux");
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void theConsoleWorksOnATerminalAndPutsItBack() throws Exception {
    Needs.need(hasScript(), "'script' from util-linux is not installed");
    FakeServices services = new FakeServices();
    try (TestGogo gogo = new TestGogo(services);
        TestManager manager = new TestManager(gogo.console(folder))) {
      Path typescript = folder.resolve("typescript");
      String client =
          ClientProcessTest.command(manager, "shell").stream()
              .map(word -> "'" + word + "'")
              .collect(Collectors.joining(" "));
      String commands = "stty rows 33 cols 111; stty -g; " + client + "; echo \"code $?\"; stty -g";
      ProcessBuilder builder =
          new ProcessBuilder(
              "script", "--quiet", "--flush", "--command", commands, typescript.toString());
      builder.environment().put("TERM", "xterm");
      builder.environment().put("SHELL", "/bin/sh");
      Process process =
          builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      try (OutputStream keyboard = process.getOutputStream()) {
        awaitText(typescript, "weft> ");
        type(keyboard, "echo is $COLUMNS wi''de\r");
        awaitText(typescript, "is 111 wide");
        type(keyboard, "run --placement-wait 600 " + Files.createFile(folder.resolve("x")) + "\r");
        awaitText(typescript, "0/4 done");
        type(keyboard, "\u0003");
        awaitText(typescript, "job 1a2b3c40 goes on");
        type(keyboard, "nodes\r");
        awaitText(typescript, "b2b2b2b2");
        type(keyboard, "exit\r");
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      } finally {
        process.destroyForcibly();
      }
      String all = Files.readString(typescript, StandardCharsets.ISO_8859_1);
      assertTrue(all.contains("code 0"), all);
      String[] states =
          all.lines()
              .filter(line -> line.matches("[0-9a-f]+(:[0-9a-f]+){10,}\\r?"))
              .toArray(String[]::new);
      assertEquals(2, states.length, all);
      assertEquals(states[0].strip(), states[1].strip());
      assertFalse(all.contains("could not be put back"));
    }
  }

  private static void type(OutputStream keyboard, String keys) throws IOException {
    keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
    keyboard.flush();
  }

  private static void awaitText(Path file, String text) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(() -> Files.readString(file, StandardCharsets.ISO_8859_1).contains(text));
  }
}
