package dev.weft.coap;

import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.SystemConfig;
import org.eclipse.californium.elements.config.UdpConfig;

/**
 * Californium's settings for frames: short times, because the bus repeats as well; no memory of
 * message ids, because {@link InFlight} hands them out and the bus suppresses duplicates; few
 * threads and small buffers.
 */
final class FrameConfiguration {
  private static final int ACKNOWLEDGEMENT_MILLIS = 500;
  private static final int RETRANSMISSIONS = 2;
  private static final int MAXIMUM_HEADER = 128;
  private static final int OUTGOING = 8_192;
  private static final int SOCKET_BUFFER = 1 << 20;

  private FrameConfiguration() {}

  static Configuration create() {
    CoapConfig.register();
    UdpConfig.register();
    SystemConfig.register();
    return Configuration.createStandardWithoutFile()
        .set(SystemConfig.HEALTH_STATUS_INTERVAL, 0, TimeUnit.SECONDS)
        .set(CoapConfig.ACK_TIMEOUT, ACKNOWLEDGEMENT_MILLIS, TimeUnit.MILLISECONDS)
        .set(CoapConfig.ACK_INIT_RANDOM, 1.1f)
        .set(CoapConfig.ACK_TIMEOUT_SCALE, 1.5f)
        .set(CoapConfig.MAX_RETRANSMIT, RETRANSMISSIONS)
        .set(CoapConfig.EXCHANGE_LIFETIME, FrameEndpoint.MAXIMUM_SECONDS, TimeUnit.SECONDS)
        .set(CoapConfig.NON_LIFETIME, FrameEndpoint.MAXIMUM_SECONDS, TimeUnit.SECONDS)
        .set(CoapConfig.MULTICAST_BASE_MID, 0)
        .set(CoapConfig.MID_TRACKER, CoapConfig.TrackerMode.NULL)
        .set(CoapConfig.DEDUPLICATOR, CoapConfig.NO_DEDUPLICATOR)
        .set(CoapConfig.CONGESTION_CONTROL_ALGORITHM, CoapConfig.CongestionControlMode.NULL)
        .set(CoapConfig.MAX_MESSAGE_SIZE, FrameEndpoint.MAXIMUM_FRAME)
        .set(CoapConfig.MAX_RESOURCE_BODY_SIZE, FrameEndpoint.MAXIMUM_FRAME)
        .set(UdpConfig.UDP_DATAGRAM_SIZE, FrameEndpoint.MAXIMUM_FRAME + MAXIMUM_HEADER)
        .set(UdpConfig.UDP_RECEIVER_THREAD_COUNT, 1)
        .set(UdpConfig.UDP_SENDER_THREAD_COUNT, 1)
        .set(UdpConfig.UDP_RECEIVE_BUFFER_SIZE, SOCKET_BUFFER)
        .set(UdpConfig.UDP_SEND_BUFFER_SIZE, SOCKET_BUFFER)
        .set(UdpConfig.UDP_CONNECTOR_OUT_CAPACITY, OUTGOING);
  }
}
