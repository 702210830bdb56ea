package dev.weft.shell.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames and hellos, right and wrong. */
class WireTest {
  private static final Hello HELLO =
      new Hello(
          List.of("job", "run", "-", "", "schön"),
          "/home/user",
          new Hello.Screen(true, false, true, true, 120, 40, "xterm"),
          "Europe/Berlin",
          Optional.of(new Hello.JobFile("-", "/home/user")));

  @Test
  void helloSurvivesTheWire() throws IOException {
    assertEquals(HELLO, Hello.of(HELLO.toFrame()));
  }

  @Test
  void framesSurviveTheWire() throws IOException {
    Memory memory = new Memory(new byte[0]);
    FrameChannel channel = new FrameChannel(memory);
    byte[] largest = new byte[Frame.MAXIMUM_PAYLOAD];
    Arrays.fill(largest, (byte) 7);
    channel.write(new Frame(Frame.Kind.OUTPUT, largest));
    channel.write(new Frame(Frame.Kind.START, new byte[0]));
    assertArrayEquals(largest, channel.read().orElseThrow().payload());
    assertEquals(Frame.Kind.START, channel.read().orElseThrow().kind());
    assertTrue(channel.read().isEmpty());
  }

  @Test
  void anUnknownKindIsRefused() {
    FrameChannel channel = new FrameChannel(new Memory(new byte[] {99, 0, 0, 0, 0}));
    FrameException e = assertThrows(FrameException.class, channel::read);
    assertEquals("unknown kind of frame: 99", e.getMessage());
  }

  @Test
  void aFrameThatIsTooLongIsRefusedBeforeItIsRead() {
    FrameChannel channel = new FrameChannel(new Memory(new byte[] {4, 0, 1, 0, 1}));
    FrameException e = assertThrows(FrameException.class, channel::read);
    assertEquals("frame of 65537 bytes; at most 65536 are allowed", e.getMessage());
    FrameChannel negative = new FrameChannel(new Memory(new byte[] {4, -1, -1, -1, -1}));
    assertThrows(FrameException.class, negative::read);
  }

  @Test
  void aFrameThatIsCutShortIsAnError() {
    FrameChannel header = new FrameChannel(new Memory(new byte[] {4, 0}));
    assertThrows(EOFException.class, header::read);
    FrameChannel payload = new FrameChannel(new Memory(new byte[] {4, 0, 0, 0, 3, 1}));
    assertThrows(EOFException.class, payload::read);
  }

  @Test
  void everyCutAndEveryChangedByteOfAHelloIsReadOrRefused() throws IOException {
    byte[] right = HELLO.toFrame().payload();
    for (int length = 0; length < right.length; length++) {
      Frame cut = new Frame(Frame.Kind.HELLO, Arrays.copyOf(right, length));
      assertThrows(FrameException.class, () -> Hello.of(cut));
    }
    long seed = 42;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      byte[] changed = right.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      try {
        assertTrue(Hello.of(new Frame(Frame.Kind.HELLO, changed)).arguments().size() < 1_025);
      } catch (FrameException e) {
        assertTrue(e.getMessage().length() > 5, "seed " + seed);
      }
    }
  }

  @Test
  void anotherVersionIsNamed() throws IOException {
    byte[] payload = HELLO.toFrame().payload();
    ByteBuffer.wrap(payload).putInt(2);
    FrameException e =
        assertThrows(FrameException.class, () -> Hello.of(new Frame(Frame.Kind.HELLO, payload)));
    assertTrue(e.getMessage().startsWith("client and manager are of different versions"));
  }

  @Test
  void argumentsThatAreTooLongAreRefusedByTheClient() {
    Hello many = hello(Collections.nCopies(1_025, "a"));
    assertThrows(FrameException.class, many::toFrame);
    Hello wide = hello(List.of("a".repeat(70_000)));
    assertThrows(FrameException.class, wide::toFrame);
  }

  private static Hello hello(List<String> arguments) {
    return new Hello(arguments, "/", HELLO.screen(), "UTC", Optional.empty());
  }

  /** What is written is read again; reads give at most 1,000 bytes at once. */
  private static final class Memory implements ByteChannel {
    private byte[] bytes;
    private int position;

    private Memory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer into) {
      if (position == bytes.length) {
        return -1;
      }
      int count = Math.min(Math.min(1_000, into.remaining()), bytes.length - position);
      into.put(bytes, position, count);
      position += count;
      return count;
    }

    @Override
    public int write(ByteBuffer from) {
      int old = bytes.length;
      int count = from.remaining();
      bytes = Arrays.copyOf(bytes, old + count);
      from.get(bytes, old, count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
