package dev.weft.coap;

import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.californium.elements.UDPConnector;
import org.eclipse.californium.elements.config.Configuration;

/**
 * A UDP connector that stops reading while the protocol thread is behind. What comes in meanwhile
 * waits in the socket's buffer, which has a size, and is lost when that is full, as UDP may.
 */
final class PacedConnector extends UDPConnector {
  private static final int MAXIMUM_WAITING = 256;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final ProtocolExecutor executor;

  PacedConnector(
      InetSocketAddress address, Configuration configuration, ProtocolExecutor executor) {
    super(address, configuration);
    this.executor = executor;
  }

  @Override
  public void processDatagram(DatagramPacket datagram) {
    while (running && executor.waiting() > MAXIMUM_WAITING) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    super.processDatagram(datagram);
  }
}
