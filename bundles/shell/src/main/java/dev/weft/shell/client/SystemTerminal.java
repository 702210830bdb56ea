package dev.weft.shell.client;

import dev.weft.shell.wire.Hello;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;

/**
 * The terminal of this process, worked with stty on {@code /dev/tty}: no native code, and nothing
 * to unpack at each start.
 */
final class SystemTerminal implements LocalTerminal {
  private static final File TERMINAL = new File("/dev/tty");
  private static final long STTY_SECONDS = 5;

  private final Map<String, String> variables;

  SystemTerminal(Map<String, String> variables) {
    this.variables = variables;
  }

  @Override
  public Hello.Screen screen() {
    boolean input = isTerminal(0);
    boolean output = isTerminal(1);
    boolean errors = isTerminal(2);
    String type = variables.getOrDefault("TERM", "");
    boolean color =
        variables.getOrDefault("NO_COLOR", "").isEmpty() && !type.isEmpty() && !type.equals("dumb");
    int[] size = output || errors ? size() : new int[] {0, 0};
    return new Hello.Screen(input, output, errors, color, size[1], size[0], type);
  }

  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd", Integer.toString(descriptor));
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return testIsTerminal(descriptor);
    }
  }

  // Where there is no /proc.
  private static boolean testIsTerminal(int descriptor) {
    try {
      Process process =
          new ProcessBuilder("test", "-t", Integer.toString(descriptor)).inheritIO().start();
      return process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // Rows and columns; zeros if they are not known.
  private static int[] size() {
    try {
      String[] parts = stty(List.of("size")).split(" ", 2);
      return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1].strip())};
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return new int[] {0, 0};
    }
  }

  private static String stty(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(TERMINAL)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (!process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("'" + String.join(" ", command) + "' failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
    return output;
  }

  @Override
  public void onInterrupt(Runnable handler) {
    var previous = Signals.register("INT", handler);
    assert previous != null : "this Java has no signals";
  }

  @Override
  public void onResize(Runnable handler) {
    var previous = Signals.register("WINCH", handler);
    assert previous != null : "this Java has no signals";
  }

  @Override
  public Raw raw() throws IOException {
    String saved = stty(List.of("-g"));
    AtomicBoolean done = new AtomicBoolean();
    Raw raw =
        () -> {
          if (done.compareAndSet(false, true)) {
            restore(saved);
          }
        };
    Runtime.getRuntime().addShutdownHook(new Thread(raw::close, "restores the terminal"));
    String none = stty(List.of("raw", "-echo"));
    assert none.isEmpty();
    return raw;
  }

  private static void restore(String saved) {
    try {
      String none = stty(List.of(saved));
      assert none.isEmpty();
    } catch (IOException e) {
      System.err.println("weft: the terminal could not be put back: type 'reset'");
    }
  }
}
