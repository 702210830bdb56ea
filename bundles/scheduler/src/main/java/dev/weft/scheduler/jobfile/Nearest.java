package dev.weft.scheduler.jobfile;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody meant who made a typing error. */
final class Nearest {
  /** A word this different from every known one is no typing error of any. */
  private static final int MAXIMUM_DISTANCE = 3;

  private static final int MAXIMUM_COMPARED = 40;

  private Nearest() {}

  /** The known word that is nearest, as a question; if none is near, all of them. */
  static String suggestion(String word, Collection<String> known) {
    String folded = fold(word);
    String nearest = "";
    int smallest = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(folded, fold(candidate));
      if (distance < smallest) {
        smallest = distance;
        nearest = candidate;
      }
    }
    boolean near = smallest <= Math.min(MAXIMUM_DISTANCE, Math.max(1, folded.length() / 3));
    return near ? "did you mean '" + nearest + "'?" : "known here are " + String.join(", ", known);
  }

  private static String fold(String word) {
    String cut = word.length() > MAXIMUM_COMPARED ? word.substring(0, MAXIMUM_COMPARED) : word;
    return cut.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How many letters to change, add, drop or swap with their neighbour. */
  private static int distance(String left, String right) {
    int[][] steps = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        int best = steps[i - 1][j - 1] + (same ? 0 : 1);
        best = Math.min(best, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        steps[i][j] = swapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
      }
    }
    return steps[left.length()][right.length()];
  }
}
