package dev.weft.scheduler;

import dev.weft.api.NodeId;
import dev.weft.api.policy.Refusal;
import dev.weft.core.resources.Placement.Decision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes equal decisions one object, as every attempt keeps its own (F2) and a job may have a
 * million. Remembers the last few thousand. Used by the core's thread only.
 */
final class Decisions {
  private static final int DECISIONS = 2_048;
  private static final int REFUSALS = 8_192;

  private final Map<Decision, Decision> decisions = recent(DECISIONS);
  private final Map<Refusal, Refusal> refusals = recent(REFUSALS);

  private static <T> Map<T, T> recent(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<T, T> eldest) {
        return size() > most;
      }
    };
  }

  /** The one object for all decisions that equal this one. */
  Decision shared(Decision decision) {
    Decision known = decisions.get(decision);
    if (known != null) {
      return known;
    }
    Map<NodeId, Refusal> shared = new HashMap<>();
    decision
        .refusals()
        .forEach(
            (node, refusal) -> {
              Refusal first = refusals.putIfAbsent(refusal, refusal);
              shared.put(node, first == null ? refusal : first);
            });
    Decision compact =
        new Decision(decision.policy(), decision.reason(), shared, decision.shortages());
    decisions.put(compact, compact);
    return compact;
  }
}
