package dev.weft.mdns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Discovery.Trace;
import dev.weft.api.bus.Role;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.jmdns.ServiceInfo;
import org.junit.jupiter.api.Test;

class MdnsDiscoveryTest {
  private final Announcement own =
      new Announcement(
          "01234567", "89abcdef", Set.of(Role.AGENT, Role.MANAGER), 1, 4_000, "quiet-fox");
  private final List<Trace> traces = new ArrayList<>();
  private final Discovery.Listener listener =
      new Discovery.Listener() {
        @Override
        public void found(Discovery.Sighting sighting) {}

        @Override
        public void lost(Discovery.Sighting sighting) {}

        @Override
        public void traced(Trace trace) {
          traces.add(trace);
        }
      };

  @Test
  void aServiceSaysAllOfTheAnnouncementAndNothingElse() {
    ServiceInfo service = ServiceRecord.write(own, 3);
    assertEquals(own, ServiceRecord.read(service));
    List<String> names = java.util.Collections.list(service.getPropertyNames());
    assertEquals(Set.of("id", "salt", "roles", "protocol", "host"), Set.copyOf(names));
    assertEquals("quiet-fox-3._weft._udp.local.", service.getQualifiedName());
  }

  @Test
  void aLongLabelIsCutInTheNameOnly() {
    Announcement longest =
        new Announcement("01234567", "89abcdef", Set.of(Role.AGENT), 1, 4_000, "a".repeat(63));
    assertEquals(63, ServiceRecord.instanceName(longest, 16).length());
    assertEquals(longest, ServiceRecord.read(ServiceRecord.write(longest, 16)));
  }

  @Test
  void aServiceWithoutTheTextIsRefused() {
    ServiceInfo bare = ServiceInfo.create(ServiceRecord.TYPE, "bare", 4_000, "");
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> ServiceRecord.read(bare));
    assertTrue(refusal.getMessage().contains("roles"), refusal.getMessage());
  }

  @Test
  void onLoopbackItSaysThatItDoesNotWork() throws Exception {
    List<InetAddress> loopback = List.of(InetAddress.getLoopbackAddress());
    new MdnsDiscovery(true).start(own, loopback, listener).close();
    assertEquals(
        List.of(
            new Trace(
                "lo", Trace.Kind.FAILED, "mDNS does not work on loopback, CoAP discovery does")),
        traces);
  }

  @Test
  void offMeansATraceAndNothingElse() throws Exception {
    new MdnsDiscovery(false).start(own, List.of(), listener).close();
    assertEquals(
        List.of(new Trace("-", Trace.Kind.FAILED, "off: enabled = false in weft.mdns")), traces);
  }
}
