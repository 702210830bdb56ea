package dev.weft.shell.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies a file of any size to an output. */
final class FileCopy {
  private static final int CHUNK = 32_768;

  private FileCopy() {}

  static void copy(Path file, PrintStream output) throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK];
    try (InputStream input = Files.newInputStream(file)) {
      for (int read = input.read(chunk); read >= 0; read = input.read(chunk)) {
        output.write(chunk, 0, read);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (output.checkError()) {
          throw new IOException("the output is closed");
        }
      }
    }
  }
}
