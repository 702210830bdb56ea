package dev.weft.scheduler.split;

import dev.weft.api.policy.SplitPolicy.Piece;
import java.util.List;

/**
 * Says where a text ends one shard and starts the next: always behind the end of a line. Fed with
 * the bytes in order, once. Offsets count from the first byte after the header.
 */
interface CutPoints {
  /**
   * Looks for the next cut.
   *
   * @param bytes holds the next bytes
   * @param from first byte not looked at yet
   * @param end behind the last byte
   * @return index behind the last byte of the shard, or -1 if it goes on
   */
  int next(byte[] bytes, int from, int end);

  /** Cuts after so many lines. */
  static CutPoints everyLines(long lines) {
    return new CutPoints() {
      private long left = lines;

      @Override
      public int next(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
          if (bytes[i] == '\n' && --left == 0) {
            left = lines;
            return i + 1;
          }
        }
        return -1;
      }
    };
  }

  /** Cuts at the first end of a line at or behind the end of each piece. */
  static CutPoints atPieces(List<Piece> pieces) {
    return new AtTargets(index -> index < pieces.size() ? pieces.get((int) index).to() : -1);
  }

  /** Cuts at the first end of a line at or behind each multiple of a size. */
  static CutPoints everyBytes(long size) {
    return new AtTargets(index -> index + 1 > Long.MAX_VALUE / size ? -1 : (index + 1) * size);
  }

  /** Where the shards should end. */
  interface Targets {
    /** The end of a shard, from 0; -1 if there are no more. */
    long get(long index);
  }

  /** Cuts behind targets. A target inside the line that an earlier one moved to is passed over. */
  final class AtTargets implements CutPoints {
    private final Targets targets;
    private long index;
    private long offset;

    AtTargets(Targets targets) {
      this.targets = targets;
    }

    @Override
    public int next(byte[] bytes, int from, int end) {
      long target = targets.get(index);
      // The end of the line is at the target itself if the byte before it ends one.
      long skip = target < 0 ? Long.MAX_VALUE : Math.max(0, target - 1 - offset);
      if (skip < end - from) {
        for (int i = from + (int) skip; i < end; i++) {
          if (bytes[i] == '\n') {
            offset += i + 1 - from;
            passTargets();
            return i + 1;
          }
        }
      }
      offset += end - from;
      return -1;
    }

    private void passTargets() {
      long target = targets.get(index);
      while (target >= 0 && target <= offset) {
        index++;
        target = targets.get(index);
      }
    }
  }
}
