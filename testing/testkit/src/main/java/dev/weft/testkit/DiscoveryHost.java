package dev.weft.testkit;

import dev.weft.api.bus.Discovery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one discovery as a program on a host of {@link TwoHosts}: prints what it finds, until its
 * input ends; then closes the search and ends.
 */
public final class DiscoveryHost {
  private DiscoveryHost() {}

  /**
   * Runs it.
   *
   * @param discovery what to run
   * @param number of the node that it announces
   * @param interfaces all addresses of these are used
   */
  public static void run(Discovery discovery, int number, List<String> interfaces)
      throws IOException {
    Discovery.Search search =
        discovery.start(
            DiscoveryContract.announcement(number), addresses(interfaces), new Printer());
    System.out.println("STARTED");
    while (System.in.read() >= 0) {
      // Only the end of the input matters.
    }
    long begin = System.nanoTime();
    search.close();
    System.out.println("CLOSED after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
  }

  /** All addresses of these interfaces. */
  public static List<InetAddress> addresses(List<String> interfaces) throws IOException {
    List<InetAddress> addresses = new ArrayList<>();
    for (String name : interfaces) {
      NetworkInterface.getByName(name).inetAddresses().forEach(addresses::add);
    }
    return addresses;
  }

  private static final class Printer implements Discovery.Listener {
    @Override
    public void found(Discovery.Sighting sighting) {
      System.out.println("FOUND " + text(sighting));
    }

    @Override
    public void lost(Discovery.Sighting sighting) {
      System.out.println("LOST " + text(sighting));
    }

    @Override
    public void traced(Discovery.Trace trace) {
      System.out.println(trace);
    }

    private static String text(Discovery.Sighting sighting) {
      return sighting.announcement().hostLabel()
          + " at "
          + sighting.address().getAddress().getHostAddress()
          + " on "
          + sighting.networkInterface();
    }
  }
}
