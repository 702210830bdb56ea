package dev.weft.bus;

import dev.weft.api.bus.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** An endpoint that keeps what is sent. */
final class FakeEndpoint implements Transport.Endpoint {
  final List<Envelope> envelopes = new CopyOnWriteArrayList<>();
  final List<byte[]> frames = new CopyOnWriteArrayList<>();
  volatile boolean closed;
  private final int maximumFrame;
  private final WireCodec codec = new WireCodec();

  FakeEndpoint(int maximumFrame) {
    this.maximumFrame = maximumFrame;
  }

  @Override
  public List<InetSocketAddress> addresses() {
    return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_777));
  }

  @Override
  public int maximumFrame() {
    return maximumFrame;
  }

  @Override
  public void send(InetSocketAddress to, byte[] frame, Consumer<Transport.Sent> done) {
    frames.add(frame);
    if (codec.decode(frame) instanceof WireCodec.Decoded.Good<Frame> good) {
      envelopes.addAll(good.value().envelopes());
      done.accept(new Transport.Sent.Delivered());
    } else {
      done.accept(new Transport.Sent.Failed("unreadable"));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
