package dev.weft.api.policy;

import dev.weft.api.Demand;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides into how many pieces a job is cut and how large each is. Registered as a service with the
 * properties {@link PlacementPolicy#NAME} and {@link PlacementPolicy#VERSION}; the one with the
 * highest service ranking is used for the next job. Same rules for threads, time and randomness as
 * for {@link PlacementPolicy}.
 */
@ConsumerType
public interface SplitPolicy {
  /**
   * Cuts the input.
   *
   * @param request what is to be cut
   * @param pool the pool now
   * @param seed the only source of randomness allowed
   * @return pieces that cover 0 to {@code request.units()} exactly once, in order; none empty
   */
  List<Piece> split(Request request, PoolView pool, long seed);

  /**
   * An input to be cut.
   *
   * @param units how many smallest pieces it has: bytes of a file (cuts are moved to the next end
   *     of a line afterwards), numbers of a range
   * @param shards how many pieces the user asked for
   * @param demand what each task will take
   * @param maximumShards most pieces allowed
   */
  record Request(long units, OptionalInt shards, Demand demand, int maximumShards) {
    /** Checks. */
    public Request {
      Objects.requireNonNull(shards, "shards");
      Objects.requireNonNull(demand, "demand");
      if (units < 1 || maximumShards < 1) {
        throw new IllegalArgumentException("units and maximumShards must be at least 1");
      }
    }
  }

  /**
   * A piece of the input, in units.
   *
   * @param from first unit
   * @param to end, not included
   */
  record Piece(long from, long to) {
    /** Checks. */
    public Piece {
      if (from < 0 || to <= from) {
        throw new IllegalArgumentException("not a piece: " + from + " to " + to);
      }
    }
  }
}
