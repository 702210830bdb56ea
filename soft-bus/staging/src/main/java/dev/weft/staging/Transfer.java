package dev.weft.staging;

import dev.weft.api.ContentId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** Moves bytes between files and a connection, in constant memory. */
final class Transfer {
  private static final int BUFFER = 64 << 10;

  private Transfer() {}

  /**
   * Sends what a source holds, with the end.
   *
   * @throws FaultException if the source is not what it was; a chunk boundary is reached, so that
   *     the peer can be told
   */
  static void send(Wire wire, Source source) throws IOException, FaultException {
    for (Segment segment : source.segments()) {
      try (FileChannel file = open(segment.file())) {
        long sent = 0;
        while (sent < segment.length()) {
          if (file.size() < segment.offset() + segment.length()) {
            throw new FaultException(Faults.mismatch(segment.file().toString()));
          }
          int chunk = (int) Math.min(Wire.MAXIMUM_CHUNK, segment.length() - sent);
          wire.sendChunk(file, segment.offset() + sent, chunk);
          sent += chunk;
        }
      }
    }
    wire.sendEnd();
  }

  private static FileChannel open(Path file) throws FaultException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (IOException e) {
      throw new FaultException(Faults.vanished(file.toString()), e);
    }
  }

  /**
   * Receives bytes into a new file.
   *
   * @param expected what they should be; never more than its length is written
   * @param drain whether to read on to the end when the disk fails, so that the connection stays
   *     usable
   * @return whether they are what they should be
   * @throws FaultException if the disk fails or the peer says that it cannot go on
   */
  static boolean receive(Wire wire, ContentId expected, Path file, Disk disk, boolean drain)
      throws IOException, FaultException {
    MessageDigest digest = ContentId.digest();
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER, expected.length()));
    long received = 0;
    try (Target target = new Target(disk, file)) {
      int left = wire.readChunkLength();
      while (left > 0) {
        if (received + left > expected.length()) {
          throw new ProtocolException("more bytes than announced");
        }
        received += left;
        while (left > 0) {
          buffer.clear().limit(Math.min(left, buffer.capacity()));
          wire.readData(buffer);
          left -= buffer.position();
          digest.update(buffer.array(), 0, buffer.position());
          target.write(buffer.flip());
          if (!drain) {
            target.check();
          }
        }
        left = wire.readChunkLength();
      }
      target.finish();
      target.check();
    }
    return ContentId.of(digest, received).equals(expected);
  }

  /** What a file holds; reads it. */
  static ContentId contentOf(Path file) throws IOException {
    MessageDigest digest = ContentId.digest();
    byte[] buffer = new byte[BUFFER];
    long length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      int read = in.read(buffer);
      while (read >= 0) {
        digest.update(buffer, 0, read);
        length += read;
        read = in.read(buffer);
      }
    }
    return ContentId.of(digest, length);
  }

  static ContentId contentOf(byte[] bytes) {
    MessageDigest digest = ContentId.digest();
    digest.update(bytes);
    return ContentId.of(digest, bytes.length);
  }

  /** A file being written; remembers the first failure of the disk and then swallows the rest. */
  private static final class Target implements AutoCloseable {
    private final Disk disk;
    private final Path file;
    private final SeekableByteChannel channel;
    private FaultException failure;

    Target(Disk disk, Path file) throws FaultException {
      this.disk = disk;
      this.file = file;
      try {
        this.channel = disk.create(file);
      } catch (IOException e) {
        throw failure(e);
      }
    }

    void write(ByteBuffer buffer) {
      try {
        while (failure == null && buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (IOException e) {
        failure = failure(e);
      }
    }

    void finish() {
      try {
        channel.close();
      } catch (IOException e) {
        failure = failure == null ? failure(e) : failure;
      }
    }

    void check() throws FaultException {
      if (failure != null) {
        throw failure;
      }
    }

    private FaultException failure(IOException e) {
      return new FaultException(Faults.disk(file, disk.free(file.getParent()), e), e);
    }

    @Override
    public void close() {
      finish();
    }
  }
}
