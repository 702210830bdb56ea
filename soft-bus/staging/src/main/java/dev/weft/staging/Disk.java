package dev.weft.staging;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where new files are made; replaced in tests by one that is full. */
interface Disk {
  /** Makes a file that must not exist. */
  SeekableByteChannel create(Path file) throws IOException;

  /** Bytes that can still be written below a folder; 0 if that cannot be found out. */
  long free(Path folder);

  /** The disks of this machine. */
  final class Local implements Disk {
    @Override
    public SeekableByteChannel create(Path file) throws IOException {
      return Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public long free(Path folder) {
      return folder.toFile().getUsableSpace();
    }
  }
}
