package dev.weft.staging;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes folders of this bundle with all they hold. */
final class Folders {
  private Folders() {}

  /** Deletes a folder; does nothing if there is none. Links are deleted, not followed. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes found)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path inner, IOException e) throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(inner);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** An empty folder, whatever was there before. */
  static Path fresh(Path folder) throws IOException {
    delete(folder);
    return Files.createDirectories(folder);
  }
}
