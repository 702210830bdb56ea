package dev.weft.coap;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * Finds nodes by CoAP multicast: questions to All CoAP Nodes (224.0.1.187, ff02::fd) go out at the
 * start, after 0.3 s and 1 s, then about every 5 s, on each interface that holds one of the given
 * addresses, and once per address family. Works on the loopback interface too, there with IPv4
 * only. One thread per search. {@link DiscoveryMessage} has the wire form.
 */
@Component(service = Discovery.class, configurationPid = "weft.coap")
@Designate(ocd = CoapDiscovery.Settings.class)
public final class CoapDiscovery implements Discovery {
  private final boolean enabled;
  private final int port;

  /** Settings of the bundle. */
  @ObjectClassDefinition(
      name = "CoAP",
      description = "Transport and discovery over CoAP (weft.coap).")
  public @interface Settings {
    /** Whether to look for nodes. */
    @AttributeDefinition(
        name = "Discovery",
        description = "Whether nodes are looked for, and this one is announced, by CoAP multicast.")
    boolean discovery() default true;

    /** Port of discovery. */
    @AttributeDefinition(
        name = "Discovery port",
        description = "UDP port of CoAP multicast; nodes find each other only on the same port.",
        min = "1",
        max = "65535")
    int discovery_port() default 5683;
  }

  /** Created by the framework; changed settings count from the next search. */
  @Activate
  public CoapDiscovery(Settings settings) {
    this(settings.discovery(), settings.discovery_port());
  }

  CoapDiscovery(boolean enabled, int port) {
    this.enabled = enabled;
    this.port = port;
  }

  @Override
  public String name() {
    return "coap";
  }

  @Override
  public Search start(Announcement own, List<InetAddress> addresses, Listener listener)
      throws IOException {
    if (!enabled) {
      listener.traced(new Trace("-", Trace.Kind.FAILED, "off: discovery = false in weft.coap"));
      return () -> {};
    }
    SplittableRandom random = new SplittableRandom();
    List<Link> links = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (InetAddress address : addresses) {
      boolean six = address instanceof Inet6Address;
      if (six && address.isLoopbackAddress()) {
        listener.traced(
            new Trace(
                "lo",
                Trace.Kind.FAILED,
                "CoAP discovery uses IPv4 only on the loopback interface"));
      } else if (known.add(interfaceOf(address) + (six ? " IPv6" : " IPv4"))) {
        links.add(new Link(address, port, own, listener, random));
      }
    }
    if (links.isEmpty()) {
      throw new IOException("CoAP discovery has no address to work on among " + addresses);
    }
    return new CoapSearch(links);
  }

  // An address that no interface holds yet gets a link of its own, which waits for it.
  private static String interfaceOf(InetAddress address) {
    try {
      return LocalAddress.of(address).interfaceName();
    } catch (IOException e) {
      return address.getHostAddress();
    }
  }
}
