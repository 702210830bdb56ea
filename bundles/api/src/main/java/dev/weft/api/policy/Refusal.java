package dev.weft.api.policy;

import dev.weft.api.Demand;
import dev.weft.api.Environment;
import dev.weft.api.Quantity;
import dev.weft.api.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a node cannot take a task.
 *
 * @param code stable name for programs, such as {@code resources.lacking}
 * @param message for people, with what was asked for and what there is
 */
public record Refusal(String code, String message) {
  /** Checks. */
  public Refusal {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
  }

  /**
   * The hard needs that every policy must honour: labels, then amounts.
   *
   * @param demand what the task needs
   * @param node the node
   * @param free what the node has free, less what was given away since
   * @return the first need that is not met; empty if the task fits
   */
  public static Optional<Refusal> check(Demand demand, NodeView node, Resources free) {
    return label(demand, node)
        .or(() -> free.lacking(demand.resources()).map(lack -> of(lack, "has %s free")));
  }

  /**
   * The same needs, compared with all that the node offers: whether it could ever take the task.
   *
   * @param demand what the task needs
   * @param node the node
   * @return the first need that is not met; empty if the task fits the node when it is idle
   */
  public static Optional<Refusal> checkOffer(Demand demand, NodeView node) {
    return label(demand, node)
        .or(() -> node.offered().lacking(demand.resources()).map(lack -> of(lack, "offers %s")));
  }

  private static Optional<Refusal> label(Demand demand, NodeView node) {
    for (var label : demand.labels().entrySet()) {
      String value = node.labels().get(label.getKey());
      if (!label.getValue().equals(value)) {
        return Optional.of(
            new Refusal(
                "label.missing",
                "needs label %s=%s, the node has %s"
                    .formatted(
                        label.getKey(),
                        label.getValue(),
                        value == null ? "none" : label.getKey() + "=" + value)));
      }
    }
    return Optional.empty();
  }

  private static Refusal of(Resources.Lack lack, String available) {
    return new Refusal(
        "resources.lacking",
        "needs %s, %s%s"
            .formatted(
                Quantity.show(lack.type(), lack.wanted()),
                available.formatted(Quantity.show(lack.type(), lack.available())),
                lack.environment().equals(Environment.REE) ? "" : " in " + lack.environment()));
  }
}
