package dev.weft.coap;

import dev.weft.api.bus.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.config.Configuration;

/** A node's end of the CoAP transport: one Californium endpoint for each local address. */
final class FrameEndpoint implements Transport.Endpoint {
  /** Name of the resource that takes frames. */
  static final String RESOURCE = "weft";

  /** Largest frame: with CoAP's header it still fits one UDP datagram. */
  static final int MAXIMUM_FRAME = 60 * 1024;

  /** No frame is under way for longer, in seconds. */
  static final long MAXIMUM_SECONDS = 5;

  private static final int MAXIMUM_PER_PEER = 256;
  private static final int MAXIMUM_UNDER_WAY = 4_096;
  private static final int PORT_ATTEMPTS = 32;

  private final List<Local> locals = new ArrayList<>();
  private final ProtocolExecutor executor = new ProtocolExecutor("weft-coap");
  private final Future<?> sweep;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final InFlight<Sending> inFlight =
      new InFlight<>(
          MAXIMUM_PER_PEER, MAXIMUM_UNDER_WAY, ThreadLocalRandom.current().nextInt(1 << 16));

  private FrameEndpoint() {
    this.sweep = executor.scheduleWithFixedDelay(this::endOverdue, 1, 1, TimeUnit.SECONDS);
  }

  static FrameEndpoint open(List<InetAddress> addresses, int port, Transport.Receiver receiver)
      throws IOException {
    if (addresses.isEmpty() || addresses.stream().anyMatch(InetAddress::isAnyLocalAddress)) {
      throw new IOException("the CoAP transport needs local addresses, and no wildcard");
    }
    FrameEndpoint endpoint = new FrameEndpoint();
    try {
      endpoint.listen(addresses, port, receiver);
      return endpoint;
    } catch (IOException e) {
      endpoint.close();
      throw e;
    }
  }

  private void listen(List<InetAddress> addresses, int port, Transport.Receiver receiver)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      int actual = port;
      try {
        for (InetAddress address : addresses) {
          actual = listen(address, actual, receiver);
        }
        return;
      } catch (BindException e) {
        // A port that was free on the first address may be taken on the next.
        locals.forEach(local -> local.endpoint().destroy());
        locals.clear();
        if (port != 0 || attempt == PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private int listen(InetAddress address, int port, Transport.Receiver receiver)
      throws IOException {
    LocalAddress local = LocalAddress.of(address);
    Configuration configuration = FrameConfiguration.create();
    CoapEndpoint endpoint =
        CoapEndpoint.builder()
            .setConfiguration(configuration)
            .setConnector(
                new PacedConnector(new InetSocketAddress(address, port), configuration, executor))
            .setCoapStackFactory(
                (protocol, tag, settings, outbox, argument) -> new FrameStack(settings, outbox))
            .setLoggingTag("weft")
            .build();
    endpoint.setExecutors(executor, executor);
    endpoint.setMessageDeliverer(new FrameDeliverer(receiver));
    try {
      endpoint.start();
    } catch (IOException e) {
      endpoint.destroy();
      String where = address.getHostAddress() + " port " + port + "/udp: " + e.getMessage();
      IOException explained =
          e instanceof BindException
              ? new BindException("cannot listen on " + where)
              : new IOException("cannot listen on " + where);
      explained.initCause(e);
      throw explained;
    }
    locals.add(new Local(local, endpoint));
    return endpoint.getAddress().getPort();
  }

  @Override
  public List<InetSocketAddress> addresses() {
    return locals.stream().map(local -> local.endpoint().getAddress()).toList();
  }

  @Override
  public int maximumFrame() {
    return MAXIMUM_FRAME;
  }

  @Override
  public void send(InetSocketAddress to, byte[] frame, Consumer<Transport.Sent> done) {
    Objects.requireNonNull(done, "done");
    Optional<Local> local = to.isUnresolved() ? Optional.empty() : route(to.getAddress());
    if (closed.get()) {
      fail(done, "the endpoint is closed");
    } else if (frame.length > MAXIMUM_FRAME) {
      fail(done, "a frame of " + frame.length + " bytes; at most " + MAXIMUM_FRAME + " are sent");
    } else if (to.isUnresolved()
        || to.getPort() == 0
        || to.getAddress().isMulticastAddress()
        || to.getAddress().isAnyLocalAddress()) {
      fail(done, to + " is not the address of one node");
    } else if (local.isEmpty()) {
      fail(done, "none of this node's addresses reaches " + to);
    } else {
      send(local.get().endpoint(), to, frame, done);
    }
  }

  private void send(
      CoapEndpoint endpoint, InetSocketAddress to, byte[] frame, Consumer<Transport.Sent> done) {
    Request request = new Request(CoAP.Code.POST, CoAP.Type.CON);
    Optional<InFlight.Key> key = inFlight.begin(to, new Sending(request, done), System.nanoTime());
    if (key.isEmpty()) {
      fail(done, "too many frames under way");
      return;
    }
    request.setDestinationContext(new AddressEndpointContext(to));
    request.setMID(key.get().id());
    request.getOptions().addUriPath(RESOURCE);
    request.setPayload(frame);
    request.addMessageObserver(new Observer(key.get()));
    endpoint.sendRequest(request);
    if (closed.get()) {
      abandon(key.get(), "the endpoint was closed");
    }
  }

  private Optional<Local> route(InetAddress to) {
    return locals.stream()
        .filter(local -> local.address().fitness(to) > 0)
        .max(Comparator.comparingInt(local -> local.address().fitness(to)));
  }

  private void fail(Consumer<Transport.Sent> done, String reason) {
    executor.execute(() -> done.accept(new Transport.Sent.Failed(reason)));
  }

  private void end(InFlight.Key key, Transport.Sent sent) {
    Optional<Sending> sending = inFlight.end(key);
    if (sending.isPresent()) {
      executor.executeHere(() -> sending.get().done().accept(sent));
    }
  }

  // Californium waits for ever for an answer that was promised by an empty acknowledgement.
  private void endOverdue() {
    long oldest = System.nanoTime() - TimeUnit.SECONDS.toNanos(MAXIMUM_SECONDS);
    inFlight.begunBefore(oldest).forEach(key -> abandon(key, "no answer in time"));
  }

  private void abandon(InFlight.Key key, String reason) {
    Optional<Sending> sending = inFlight.end(key);
    if (sending.isPresent()) {
      sending.get().request().cancel();
      executor.executeHere(() -> sending.get().done().accept(new Transport.Sent.Failed(reason)));
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    sweep.cancel(false);
    locals.forEach(local -> local.endpoint().destroy());
    inFlight.keys().forEach(key -> abandon(key, "the endpoint was closed"));
  }

  private record Local(LocalAddress address, CoapEndpoint endpoint) {}

  private record Sending(Request request, Consumer<Transport.Sent> done) {}

  private final class Observer extends MessageObserverAdapter {
    private final InFlight.Key key;

    Observer(InFlight.Key key) {
      this.key = key;
    }

    @Override
    public void onResponse(Response response) {
      if (response.getCode() == CoAP.ResponseCode.CHANGED) {
        end(key, new Transport.Sent.Delivered());
      } else {
        end(key, new Transport.Sent.Failed("the peer answered " + response.getCode()));
      }
    }

    @Override
    public void onReject() {
      end(key, new Transport.Sent.Failed("the peer rejected the message"));
    }

    @Override
    public void onTimeout() {
      end(key, new Transport.Sent.Failed("no answer"));
    }

    @Override
    public void onCancel() {
      end(key, new Transport.Sent.Failed("cancelled"));
    }

    @Override
    public void onSendError(Throwable error) {
      end(key, new Transport.Sent.Failed("could not be sent: " + error.getMessage()));
    }
  }
}
