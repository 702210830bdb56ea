package dev.weft.agent.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads pieces of files that may still grow. */
final class FileTail {
  private FileTail() {}

  /** At most that many bytes from an offset on; none if the file ends before it. */
  static byte[] read(Path file, long offset, int most) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      long left = channel.size() - offset;
      if (left <= 0) {
        return new byte[0];
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(left, most));
      channel.position(offset);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Goes on until the buffer is full or the file ends.
      }
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      return bytes;
    }
  }

  /**
   * The end of a text in UTF-8, at most that many bytes in UTF-8, without a broken first letter.
   */
  static String text(Path file, int most) throws IOException {
    long size = Files.size(file);
    byte[] bytes = read(file, Math.max(0, size - most), most);
    int start = 0;
    if (size > most) {
      while (start < bytes.length && (bytes[start] & 0xC0) == 0x80) {
        start++;
      }
    }
    String text = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    // What is not UTF-8 grows when it is replaced.
    int extra = text.getBytes(StandardCharsets.UTF_8).length - most;
    return extra > 0 ? shorten(text, most) : text;
  }

  private static String shorten(String text, int most) {
    int start = text.length();
    int bytes = 0;
    while (start > 0) {
      int letter = text.codePointBefore(start);
      int length = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
      if (bytes + length > most) {
        break;
      }
      bytes += length;
      start -= Character.charCount(letter);
    }
    return text.substring(start);
  }
}
