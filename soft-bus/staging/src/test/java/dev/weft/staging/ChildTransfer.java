package dev.weft.staging;

import dev.weft.api.ContentId;
import dev.weft.api.JobId;
import dev.weft.core.staging.StagingArea.Segment;
import dev.weft.core.staging.StagingArea.Source;
import dev.weft.core.staging.StagingException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One transfer in a process of its own: with a small heap, or onto a full disk. */
final class ChildTransfer {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ChildTransfer() {}

  /** Arguments: the file to send, the manager's folder, the node's folder. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Path node = Path.of(arguments[2]);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ContentId content = Transfer.contentOf(file);
    try (ManagerStagingArea area =
            new ManagerStagingArea(
                Path.of(arguments[1]),
                List.of(loopback),
                new ManagerStagingArea.Setup(0, 8, TIMEOUT, TIMEOUT, 0),
                new Disk.Local());
        NodeStagingClient client =
            new NodeStagingClient(
                node, new NodeStagingClient.Setup(1L << 30, TIMEOUT, TIMEOUT), new Disk.Local())) {
      area.offer(
          new JobId("0".repeat(32)),
          content,
          new Source(List.of(new Segment(file, 0, content.length()))));
      client.fetch(new InetSocketAddress(loopback, area.port()), content, node.resolve("target"));
      System.out.println("fetched " + content.length());
    } catch (StagingException e) {
      System.out.println(e.fault());
    }
  }
}
