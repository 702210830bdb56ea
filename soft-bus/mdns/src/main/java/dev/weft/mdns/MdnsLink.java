package dev.weft.mdns;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Discovery.Sighting;
import dev.weft.api.bus.Discovery.Trace;
import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceEvent;
import javax.jmdns.ServiceInfo;
import javax.jmdns.ServiceListener;

/**
 * mDNS on one interface in one address family. jmDNS blocks for seconds when it starts and ends, so
 * both happen on the executor. Thread-safe.
 */
final class MdnsLink {
  private static final int MAXIMUM_KNOWN = 1_024;

  private final InetAddress address;
  private final int number;
  private final Announcement own;
  private final Discovery.Listener listener;
  private final Executor executor;
  private final Map<String, Sighting> known = new ConcurrentHashMap<>();
  private final Set<String> unresolved = ConcurrentHashMap.newKeySet();
  private State state = State.CLOSED;
  private Optional<JmDNS> instance = Optional.empty();
  private Optional<LinkLocalEar> ear = Optional.empty();
  private boolean ended;
  private int interfaceIndex;
  private volatile String interfaceName;
  private String lastFailure = "";

  private enum State {
    CLOSED,
    OPENING,
    OPEN,
    CLOSING
  }

  /**
   * A closed link.
   *
   * @param number tells the links of this node apart
   */
  MdnsLink(
      int number,
      InetAddress address,
      Announcement own,
      Discovery.Listener listener,
      Executor executor) {
    this.number = number;
    this.address = address;
    this.interfaceName = address.getHostAddress();
    this.own = own;
    this.listener = listener;
    this.executor = executor;
  }

  /** Opens what can be opened, closes what does not work any more, asks again what is open. */
  void check() {
    try {
      NetworkInterface networkInterface = NetworkInterface.getByInetAddress(address);
      if (networkInterface == null) {
        fail("no network interface has the address " + address.getHostAddress());
        return;
      }
      interfaceName = networkInterface.getName();
      if (!networkInterface.isUp() || !networkInterface.supportsMulticast()) {
        fail("the interface is down or has no multicast");
      } else {
        use(networkInterface.getIndex());
      }
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  private void use(int index) throws IOException {
    boolean replaced;
    synchronized (this) {
      replaced = state == State.OPEN && interfaceIndex != index;
      if (state == State.CLOSED && !ended) {
        state = State.OPENING;
        interfaceIndex = index;
        executor.execute(this::open);
      }
    }
    if (replaced) {
      fail("the interface was replaced");
    }
    askAgain();
  }

  /** Tells again who is known. */
  void tellAgain() {
    known.values().forEach(listener::found);
  }

  private void askAgain() throws IOException {
    Optional<JmDNS> asking;
    Optional<LinkLocalEar> listening;
    synchronized (this) {
      asking = instance;
      listening = ear;
    }
    if (listening.isPresent()) {
      listening.get().listen();
    }
    asking.ifPresent(dns -> unresolved.forEach(name -> ask(dns, name)));
  }

  // jmDNS waits for the answer for the time given; the answer itself comes as an event.
  private static void ask(JmDNS dns, String name) {
    dns.requestServiceInfo(ServiceRecord.TYPE, name, true, 1);
  }

  /** Does something; what jmDNS throws on the way fails this link and none other. */
  void survive(Consumer<MdnsLink> what) {
    try {
      what.accept(this);
    } catch (RuntimeException e) {
      fail("jmDNS failed: " + e);
    }
  }

  private void open() {
    JmDNS opened = null;
    try {
      openEar();
      opened = JmDNS.create(address, ServiceRecord.instanceName(own, number));
      opened.setDelegate((dns, services) -> fail("jmDNS could not recover from an error"));
      opened.addServiceListener(ServiceRecord.TYPE, new Events(opened));
      opened.registerService(ServiceRecord.write(own, number));
      traced(Trace.Kind.SENT, "announced and asked for " + ServiceRecord.TYPE);
      opened(opened);
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        instance = Optional.ofNullable(opened);
        state = State.OPEN;
      }
      fail("mDNS could not start: " + e.getMessage());
    }
  }

  private void openEar() throws IOException {
    if (address.isLinkLocalAddress() && address instanceof Inet6Address) {
      LinkLocalEar opened = LinkLocalEar.open(NetworkInterface.getByIndex(interfaceIndex()));
      synchronized (this) {
        ear = Optional.of(opened);
      }
    }
  }

  private void opened(JmDNS opened) {
    boolean close;
    synchronized (this) {
      instance = Optional.of(opened);
      state = State.OPEN;
      lastFailure = "";
      close = ended;
    }
    if (close) {
      closeInstance();
    }
  }

  private void fail(String reason) {
    boolean told;
    synchronized (this) {
      told = lastFailure.equals(reason) || ended;
      lastFailure = reason;
      if (state == State.OPEN) {
        state = State.CLOSING;
        executor.execute(this::closeNow);
      }
    }
    if (!told) {
      traced(Trace.Kind.FAILED, reason);
    }
  }

  /** Ends for good: says goodbye and closes, which takes jmDNS about 2 s. Blocks. */
  void end() {
    synchronized (this) {
      ended = true;
    }
    closeInstance();
  }

  private void closeInstance() {
    synchronized (this) {
      if (state != State.OPEN) {
        return;
      }
      state = State.CLOSING;
    }
    closeNow();
  }

  private void closed(Closeable one) {
    try {
      one.close();
    } catch (IOException | RuntimeException e) {
      traced(Trace.Kind.FAILED, "closing failed: " + e.getMessage());
    }
  }

  private void closeNow() {
    Optional<JmDNS> closing;
    Optional<LinkLocalEar> closingEar;
    synchronized (this) {
      closing = instance;
      instance = Optional.empty();
      closingEar = ear;
      ear = Optional.empty();
    }
    known.clear();
    unresolved.clear();
    try {
      closing.ifPresent(this::closed);
      closingEar.ifPresent(this::closed);
    } finally {
      synchronized (this) {
        state = State.CLOSED;
      }
    }
  }

  private void traced(Trace.Kind kind, String detail) {
    listener.traced(new Trace(interfaceName, kind, detail));
  }

  private void resolved(ServiceInfo service) {
    Announcement announcement;
    if (!service.getPropertyNames().hasMoreElements()) {
      // jmDNS also says so when only a part has come; the rest is asked for again.
      return;
    }
    try {
      announcement = ServiceRecord.read(service);
    } catch (IllegalArgumentException e) {
      unresolved.remove(service.getName());
      traced(Trace.Kind.DROPPED, "malformed service " + service.getName() + ": " + e.getMessage());
      return;
    }
    if (announcement.salt().equals(own.salt()) && announcement.shortId().equals(own.shortId())) {
      unresolved.remove(service.getName());
      traced(Trace.Kind.DROPPED, "own");
      return;
    }
    Optional<InetAddress> at = addressOf(service);
    if (at.isEmpty()) {
      return;
    }
    if (!isHere(at.get())) {
      unresolved.remove(service.getName());
      traced(Trace.Kind.DROPPED, "from another interface, " + at.get().getHostAddress());
      return;
    }
    Sighting sighting =
        new Sighting(
            announcement, new InetSocketAddress(at.get(), announcement.port()), interfaceName);
    if (known.size() >= MAXIMUM_KNOWN && !known.containsKey(service.getName())) {
      traced(Trace.Kind.DROPPED, "more than " + MAXIMUM_KNOWN + " services");
      return;
    }
    known.put(service.getName(), sighting);
    unresolved.remove(service.getName());
    traced(
        Trace.Kind.RECEIVED,
        "service of " + announcement.shortId() + " at " + at.get().getHostAddress());
    listener.found(sighting);
  }

  private Optional<InetAddress> addressOf(ServiceInfo service) {
    InetAddress[] candidates =
        address instanceof Inet6Address ? service.getInet6Addresses() : service.getInet4Addresses();
    return Arrays.stream(candidates)
        .filter(
            it -> !it.isLoopbackAddress() && !it.isMulticastAddress() && !it.isAnyLocalAddress())
        .findFirst()
        .map(this::scoped);
  }

  private boolean isHere(InetAddress found) {
    Optional<LinkLocalEar> listening;
    synchronized (this) {
      listening = ear;
    }
    try {
      return !found.isLinkLocalAddress() || listening.isEmpty() || listening.get().hasHeard(found);
    } catch (IOException e) {
      fail("listening failed: " + e.getMessage());
      return false;
    }
  }

  // A link-local address from the network does not say which link; here it is known.
  private InetAddress scoped(InetAddress found) {
    if (!(found instanceof Inet6Address) || !found.isLinkLocalAddress()) {
      return found;
    }
    try {
      return Inet6Address.getByAddress(null, found.getAddress(), interfaceIndex());
    } catch (IOException e) {
      throw new IllegalStateException("16 bytes are an IPv6 address", e);
    }
  }

  private synchronized int interfaceIndex() {
    return interfaceIndex;
  }

  private final class Events implements ServiceListener {
    private final JmDNS dns;

    Events(JmDNS dns) {
      this.dns = dns;
    }

    @Override
    public void serviceAdded(ServiceEvent event) {
      traced(Trace.Kind.RECEIVED, "service " + event.getName() + ", asking for its details");
      if (unresolved.size() < MAXIMUM_KNOWN && !known.containsKey(event.getName())) {
        unresolved.add(event.getName());
      }
      ask(dns, event.getName());
    }

    @Override
    public void serviceResolved(ServiceEvent event) {
      resolved(event.getInfo());
    }

    @Override
    public void serviceRemoved(ServiceEvent event) {
      traced(Trace.Kind.RECEIVED, "goodbye or end of service " + event.getName());
      unresolved.remove(event.getName());
      Sighting sighting = known.remove(event.getName());
      if (sighting != null) {
        listener.lost(sighting);
      }
    }
  }
}
