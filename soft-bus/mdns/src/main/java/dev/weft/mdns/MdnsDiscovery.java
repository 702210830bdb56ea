package dev.weft.mdns;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * Finds nodes by mDNS and DNS-SD with jmDNS: one instance for each interface and address family of
 * the given addresses, except loopback. Nodes that are known are reported again every 5 s, also
 * those that went without a goodbye, until their records end.
 */
@Component(service = Discovery.class, configurationPid = "weft.mdns")
@Designate(ocd = MdnsDiscovery.Settings.class)
public final class MdnsDiscovery implements Discovery {
  private static final int MAXIMUM_LINKS = 16;

  private final boolean enabled;

  /** Settings of the bundle. */
  @ObjectClassDefinition(name = "mDNS", description = "Discovery over mDNS (weft.mdns).")
  public @interface Settings {
    /** Whether to look for nodes. */
    @AttributeDefinition(
        name = "Enabled",
        description = "Whether nodes are looked for, and this one is announced, by mDNS.")
    boolean enabled() default true;
  }

  /** Created by the framework; changed settings count from the next search. */
  @Activate
  public MdnsDiscovery(Settings settings) {
    this(settings.enabled());
  }

  MdnsDiscovery(boolean enabled) {
    this.enabled = enabled;
  }

  @Override
  public String name() {
    return "mdns";
  }

  @Override
  public Search start(Announcement own, List<InetAddress> addresses, Listener listener)
      throws IOException {
    if (!enabled) {
      listener.traced(new Trace("-", Trace.Kind.FAILED, "off: enabled = false in weft.mdns"));
      return () -> {};
    }
    List<InetAddress> chosen = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (InetAddress address : addresses) {
      if (address.isLoopbackAddress()) {
        listener.traced(
            new Trace(
                "lo", Trace.Kind.FAILED, "mDNS does not work on loopback, CoAP discovery does"));
      } else if (known.size() < MAXIMUM_LINKS && known.add(key(address))) {
        chosen.add(address);
      }
    }
    if (chosen.isEmpty()) {
      return () -> {};
    }
    return new MdnsSearch(chosen, own, listener);
  }

  private static String key(InetAddress address) throws IOException {
    NetworkInterface networkInterface = NetworkInterface.getByInetAddress(address);
    String name = networkInterface == null ? address.getHostAddress() : networkInterface.getName();
    return name + (address instanceof Inet6Address ? " IPv6" : " IPv4");
  }
}
