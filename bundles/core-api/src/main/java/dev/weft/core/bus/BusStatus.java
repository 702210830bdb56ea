package dev.weft.core.bus;

import dev.weft.api.bus.Discovery;
import java.time.Instant;
import java.util.List;

/**
 * What the bus can tell an operator.
 *
 * @param endpoints address of each open endpoint, such as {@code coap://127.0.0.1:41234}
 * @param warnings what is not as it should be, such as an insecure address, in plain words
 * @param discoveries one line per discovery and network interface
 * @param sightings nodes seen, and what became of each
 */
public record BusStatus(
    List<String> endpoints,
    List<String> warnings,
    List<DiscoveryStatus> discoveries,
    List<SightingStatus> sightings) {
  /** Copies. */
  public BusStatus {
    endpoints = List.copyOf(endpoints);
    warnings = List.copyOf(warnings);
    discoveries = List.copyOf(discoveries);
    sightings = List.copyOf(sightings);
  }

  /**
   * What one discovery did on one interface since its start.
   *
   * @param discovery its name
   * @param networkInterface the interface
   * @param sent questions and announcements sent
   * @param received answers and announcements received
   * @param dropped received but not used
   * @param failed what did not work
   * @param recent the last ones, newest first, at most 32
   */
  public record DiscoveryStatus(
      String discovery,
      String networkInterface,
      long sent,
      long received,
      long dropped,
      long failed,
      List<Line> recent) {
    /** Copies. */
    public DiscoveryStatus {
      recent = List.copyOf(recent);
    }
  }

  /**
   * One thing a discovery did.
   *
   * @param at when
   * @param kind what
   * @param detail of what, from whom, or why
   */
  public record Line(Instant at, Discovery.Trace.Kind kind, String detail) {}

  /**
   * A node that was seen.
   *
   * @param shortId as announced
   * @param via name of the discovery
   * @param address where
   * @param state what became of it, in plain words: the node id if it is a peer, else why not
   * @param at when it was last seen
   */
  public record SightingStatus(
      String shortId, String via, String address, String state, Instant at) {}
}
