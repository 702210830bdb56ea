package dev.weft.agent.run;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/** Removes folders with everything in them; never follows a link. */
final class Trees {
  /** Folders within folders that surely make a path of legal length. */
  private static final int SHALLOW = 8;

  /** More folders in a chain than this need more than one attempt to be removed. */
  private static final int MAXIMUM_ROUNDS = 10_000;

  private Trees() {}

  /**
   * Removes a folder, which need not exist. Folders that a task locked are opened first, and what
   * is too deep for a path is brought up.
   */
  static void remove(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new Remover());
    } catch (FileSystemException lockedOrTooDeep) {
      flatten(root);
      Files.walkFileTree(root, new Opener());
      Files.walkFileTree(root, new Remover());
    }
  }

  private static void flatten(Path root) throws IOException {
    Raiser raiser = new Raiser(root);
    for (int round = 0; round < MAXIMUM_ROUNDS; round++) {
      int before = raiser.raised;
      Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), SHALLOW, raiser);
      if (raiser.raised == before) {
        return;
      }
    }
  }

  /** Moves what lies at the greatest depth to the top. */
  private static final class Raiser extends SimpleFileVisitor<Path> {
    private final Path root;
    private int raised;

    Raiser(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      open(folder);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isDirectory()) {
        open(file);
        Files.move(file, root.resolve(".weft-raised-" + raised));
        raised++;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE; // the walks that follow tell
    }
  }

  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
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
  }
}
