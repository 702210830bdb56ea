package dev.weft.bus;

import dev.weft.api.NodeId;
import dev.weft.api.bus.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers the envelopes of one turn of the loop, so that many small ones for the same address
 * travel in few frames. Used by the loop's thread only.
 */
final class Outbox {
  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final NodeId self;
  private final long boot;
  private final WireCodec codec;
  private final Map<InetSocketAddress, List<Envelope>> waiting = new LinkedHashMap<>();
  private int count;

  Outbox(NodeId self, long boot, WireCodec codec) {
    this.self = self;
    this.boot = boot;
    this.codec = codec;
  }

  void add(InetSocketAddress to, Envelope envelope) {
    waiting.computeIfAbsent(to, address -> new ArrayList<>()).add(envelope);
    count++;
  }

  /** How many envelopes wait. */
  int size() {
    return count;
  }

  /**
   * Sends all that waits.
   *
   * @param sending called before every frame
   * @param sent called once for every frame, from a thread of the transport's
   */
  void flush(
      Transport.Endpoint endpoint,
      Runnable sending,
      BiConsumer<InetSocketAddress, Transport.Sent> sent) {
    int room = WireCodec.room(endpoint.maximumFrame());
    Map<InetSocketAddress, List<Envelope>> taken = new LinkedHashMap<>(waiting);
    clear();
    for (var entry : taken.entrySet()) {
      List<Envelope> batch = new ArrayList<>();
      int size = 0;
      for (Envelope envelope : entry.getValue()) {
        int more = WireCodec.size(envelope);
        if (more > room) {
          LOG.error("dropped a {} that fits no frame: {}", envelope.kind(), envelope.body());
          continue;
        }
        if (!batch.isEmpty() && (size + more > room || batch.size() == Frame.MAXIMUM_ENVELOPES)) {
          sending.run();
          send(endpoint, entry.getKey(), batch, sent);
          batch = new ArrayList<>();
          size = 0;
        }
        batch.add(envelope);
        size += more;
      }
      if (!batch.isEmpty()) {
        sending.run();
        send(endpoint, entry.getKey(), batch, sent);
      }
    }
  }

  /** Forgets all that waits: there is nothing to send it with. */
  void clear() {
    waiting.clear();
    count = 0;
  }

  private void send(
      Transport.Endpoint endpoint,
      InetSocketAddress to,
      List<Envelope> batch,
      BiConsumer<InetSocketAddress, Transport.Sent> sent) {
    byte[] frame = codec.encode(new Frame(self, boot, batch));
    try {
      endpoint.send(to, frame, result -> sent.accept(to, result));
    } catch (RuntimeException e) {
      // Too often called for a guard with a thread of its own; a bad transport loses this frame.
      sent.accept(to, new Transport.Sent.Failed("the transport failed: " + e));
    }
  }
}
