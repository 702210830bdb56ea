package dev.weft.agent;

import java.time.Duration;
import java.util.Objects;

/**
 * How a node keeps versions.
 *
 * @param relation how a dispatched version must stand to the node's own to be taken (B6)
 * @param differTime how long it waits for an agreement before it sends an update (B4 c)
 */
public record VersionRules(Relation relation, Duration differTime) {
  /** What holds if nothing is configured. */
  public static final VersionRules DEFAULT =
      new VersionRules(Relation.NEWER, Duration.ofSeconds(5));

  /** Checks. */
  public VersionRules {
    Objects.requireNonNull(relation, "relation");
    Objects.requireNonNull(differTime, "differTime");
  }

  /** How a dispatched version must stand to the node's own to be taken (B6). */
  public enum Relation {
    /** It is higher. */
    NEWER {
      @Override
      boolean holds(long dispatched, long own) {
        return dispatched > own;
      }
    },
    /** It is not lower. */
    NOT_OLDER {
      @Override
      boolean holds(long dispatched, long own) {
        return dispatched >= own;
      }
    },
    /** It is the next. */
    NEXT {
      @Override
      boolean holds(long dispatched, long own) {
        return dispatched == own + 1;
      }
    },
    /** It is taken whatever it is. */
    ANY {
      @Override
      boolean holds(long dispatched, long own) {
        return true;
      }
    };

    abstract boolean holds(long dispatched, long own);
  }
}
