package dev.weft.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weft.api.JobId;
import dev.weft.core.job.JobSource;
import dev.weft.shell.fake.FakeServices;
import dev.weft.shell.fake.Samples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;

/** Runs commands as the client does, and keeps what they print. */
abstract class CommandTester {
  static final JobId ID = Samples.id("1a2b3c4d");

  final FakeServices services = new FakeServices();
  final ByteArrayOutputStream output = new ByteArrayOutputStream();
  final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  final int run(String... arguments) throws IOException {
    Display display = new Display(false, false, false, false, 80, 24, "", ZoneOffset.UTC);
    Invocation invocation =
        new Invocation(
            services,
            () -> display,
            new PrintStream(output, false, StandardCharsets.UTF_8),
            new PrintStream(errors, false, StandardCharsets.UTF_8),
            name ->
                new JobSource(
                    name,
                    List.of("huge", "bad", "steps").contains(name) ? name : "x",
                    Path.of("/"),
                    "ada"),
            new NoConsole(),
            Clock.fixed(Samples.NOW, ZoneOffset.UTC));
    return CommandRunner.run(List.of(arguments), invocation);
  }

  private static final class NoConsole implements Invocation.Console {
    @Override
    public int interactive(Display display) {
      return 1;
    }

    @Override
    public int run(String commands) {
      return 1;
    }
  }

  final String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  final String errors() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  final JsonNode json(String... arguments) throws IOException {
    output.reset();
    assertEquals(0, run(arguments));
    return new ObjectMapper().readTree(output());
  }
}
