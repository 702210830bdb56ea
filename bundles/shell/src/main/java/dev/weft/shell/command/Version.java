package dev.weft.shell.command;

import dev.weft.shell.render.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine;

/** Prints the version. Runs in the client. */
@CommandLine.Command(
    name = "version",
    header = "Print the version of this program.",
    footer = {"", "Example:", "  weft version --json"})
final class Version extends Report {
  @Override
  public int run(Invocation invocation) throws IOException {
    String version = read();
    if (json()) {
      Json.write(
          invocation.output(), json -> json.object(fields -> fields.field("version", version)));
    } else {
      invocation.output().print("weft " + version + "\n");
    }
    return ExitCode.DONE;
  }

  private static String read() throws IOException {
    Properties properties = new Properties();
    try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
      if (resource != null) {
        properties.load(resource);
      }
    }
    return properties.getProperty("version", "unknown");
  }
}
