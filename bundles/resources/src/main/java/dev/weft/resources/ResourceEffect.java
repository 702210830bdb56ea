package dev.weft.resources;

import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.PoolView;
import dev.weft.core.resources.Placement;
import java.util.List;

/** What the resource manager wants done. */
sealed interface ResourceEffect {
  /** Ask the active policy; the answer comes back as an event with the same number. */
  record AskPolicy(long call, List<Request> requests, PoolView pool, long seed)
      implements ResourceEffect {}

  /** Answer a question, one placement for each request, in the same order. */
  record Answer(long number, List<Placement> placements) implements ResourceEffect {}
}
