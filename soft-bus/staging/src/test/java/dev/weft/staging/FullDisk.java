package dev.weft.staging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/** A disk that holds so many bytes per file and no more. */
record FullDisk(Disk real, long size) implements Disk {
  @Override
  public SeekableByteChannel create(Path file) throws IOException {
    return new FullChannel(real.create(file), size);
  }

  @Override
  public long free(Path folder) {
    return size;
  }

  private record FullChannel(SeekableByteChannel real, long size) implements SeekableByteChannel {
    @Override
    public int write(ByteBuffer buffer) throws IOException {
      if (real.position() + buffer.remaining() > size) {
        throw new IOException("No space left on device");
      }
      return real.write(buffer);
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
      return real.read(buffer);
    }

    @Override
    public long position() throws IOException {
      return real.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      real.position(position);
      return this;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public SeekableByteChannel truncate(long length) throws IOException {
      real.truncate(length);
      return this;
    }

    @Override
    public boolean isOpen() {
      return real.isOpen();
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
