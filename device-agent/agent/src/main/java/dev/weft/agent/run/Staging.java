package dev.weft.agent.run;

import dev.weft.api.AttemptId;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.core.staging.StagingClient;
import dev.weft.core.staging.StagingException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Transfers between an attempt and its manager, wherever the manager is now.
 *
 * @param client moves the bytes
 * @param addressOf where a manager can be reached; empty if it is not up
 */
public record Staging(StagingClient client, Function<NodeId, Optional<InetAddress>> addressOf) {
  /** Checks. */
  public Staging {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(addressOf, "addressOf");
  }

  void fetch(RunRequest request, ContentId content, Path target) throws StagingException {
    client.fetch(areaOf(request), content, target);
  }

  ContentId deliver(RunRequest request, Path file) throws StagingException {
    AttemptId attempt = request.attempt();
    return client.deliver(areaOf(request), attempt, file);
  }

  private InetSocketAddress areaOf(RunRequest request) throws StagingException {
    InetAddress host =
        addressOf
            .apply(request.manager())
            .orElseThrow(
                () ->
                    new StagingException(
                        new Fault(
                            "staging.unreachable",
                            Fault.Category.EXTERNAL,
                            "manager " + request.manager() + " is not up",
                            true),
                        null));
    return new InetSocketAddress(host, request.part().stagingPort());
  }
}
