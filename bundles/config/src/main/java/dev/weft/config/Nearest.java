package dev.weft.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Nearest {
  private Nearest() {}

  static Optional<String> to(String word, Collection<String> known) {
    return known.stream().min(Comparator.comparingInt(other -> distance(word, other)));
  }

  /** Levenshtein's distance: how many letters must be changed, added or removed. */
  private static int distance(String one, String other) {
    int[] previous = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] current = new int[other.length() + 1];
      current[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = previous[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[other.length()];
  }
}
