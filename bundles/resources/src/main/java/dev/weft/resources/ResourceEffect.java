package dev.weft.resources;

import dev.weft.api.AttemptId;
import dev.weft.api.NodeId;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Placement;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the resource manager wants done. */
public sealed interface ResourceEffect {
  /** Ask the active policy; the answer comes back as an event with the same number. */
  record AskPolicy(long call, List<Request> requests, PoolView pool, long seed)
      implements ResourceEffect {}

  /** Answer a question, one placement for each request, in the same order. */
  record Answer(long number, List<Placement> placements) implements ResourceEffect {}

  /** Answer a question by naming who leads; this manager does not. */
  record NotLeading(long number, Optional<NodeId> leader) implements ResourceEffect {}

  /** Answer somebody who asked with an event. */
  record Reply<T>(Consumer<T> to, T answer) implements ResourceEffect {
    /** Hands the answer over. */
    public void send() {
      to.accept(answer);
    }
  }

  /**
   * Tell a node that attempts are not wanted ({@link Message.Cancel}); its answer comes back as
   * {@link ResourceEvent.Cancelled}. Without an answer the core asks again by itself.
   */
  record Cancel(NodeId node, List<AttemptId> attempts) implements ResourceEffect {}

  /** A scheduler suspects the leader: elect again (A6). */
  record Elect(NodeId suspect) implements ResourceEffect {}
}
