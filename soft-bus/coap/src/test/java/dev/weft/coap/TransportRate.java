package dev.weft.coap;

import dev.weft.api.bus.Transport;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Measures frames per second over loopback: {@code TransportRate [outstanding] [seconds]}. */
final class TransportRate {
  private TransportRate() {}

  public static void main(String[] arguments) throws Exception {
    int outstanding = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 64;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    List<InetAddress> addresses = List.of(CoapTransportTest.loopback(1));
    LongAdder failed = new LongAdder();
    CoapTransport transport = new CoapTransport();
    try (Transport.Endpoint target = transport.open(addresses, 0, (from, frame) -> {});
        Transport.Endpoint sender = transport.open(addresses, 0, (from, frame) -> {})) {
      for (int round = 0; round < 4; round++) {
        Semaphore window = new Semaphore(outstanding);
        byte[] frame = new byte[200];
        long count = 0;
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0) {
          window.acquire();
          count++;
          sender.send(
              target.addresses().get(0),
              frame,
              result -> {
                if (result instanceof Transport.Sent.Failed) {
                  failed.increment();
                }
                window.release();
              });
        }
        window.acquire(outstanding);
        double took = (System.nanoTime() - start) / 1e9;
        System.out.printf("%.0f frames/s, %d failed%n", count / took, failed.sum());
      }
      Thread.getAllStackTraces().keySet().forEach(thread -> System.out.println(thread.getName()));
    }
  }
}
