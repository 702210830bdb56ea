package dev.weft.shell.client;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client in this process, on a thread of its own. */
final class ClientRun {
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final FakeTerminal terminal;
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();

  private ClientRun(FakeTerminal terminal) {
    this.terminal = terminal;
  }

  public static ClientRun start(
      Path data, FakeTerminal terminal, InputStream input, String... arguments) {
    ClientRun run = new ClientRun(terminal);
    Client client =
        new Client(
            new Client.Surroundings(
                Map.of("WEFT_DATA", data.toString()),
                Path.of("/tmp"),
                input,
                run.output,
                run.errors,
                terminal));
    Thread thread =
        new Thread(() -> run.exit.complete(client.run(List.of(arguments))), "test client");
    thread.setDaemon(true);
    thread.start();
    return run;
  }

  public static ClientRun start(Path data, String input, String... arguments) {
    return start(
        data,
        new FakeTerminal(false),
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        arguments);
  }

  public int exitCode() {
    return exit.orTimeout(20, TimeUnit.SECONDS).join();
  }

  public FakeTerminal terminal() {
    return terminal;
  }

  public String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  public String errors() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  public void awaitOutput(String text) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(this::output, all -> all.contains(text));
  }

  public void awaitErrors(String text) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(this::errors, all -> all.contains(text));
  }
}
