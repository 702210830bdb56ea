package dev.weft.agent.run;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** Removes folders with everything in them; never follows a link. */
final class Trees {
  private Trees() {}

  /** Removes a folder, which need not exist. A folder that its task locked is opened first. */
  static void remove(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new Remover());
    } catch (AccessDeniedException e) {
      Files.walkFileTree(root, new Opener());
      Files.walkFileTree(root, new Remover());
    }
  }

  private static class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }

  /** Gives the owner every right on every folder, from the top down. */
  private static final class Opener extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (!(failure instanceof AccessDeniedException)) {
        return FileVisitResult.CONTINUE;
      }
      open(file);
      if (!Files.isReadable(file)) {
        throw failure;
      }
      Files.walkFileTree(file, this);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      open(folder);
      return FileVisitResult.CONTINUE;
    }

    private static void open(Path folder) throws IOException {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
