package dev.weft.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A bundle that a profile has.
 *
 * @param startLevel when it starts
 * @param file its jar
 */
record Feature(int startLevel, Path file) {
  /**
   * The bundles of a feature list, in order of start level and name, so that every start is alike.
   *
   * @param home the installation
   * @param name of the list in {@code features/}
   */
  static List<Feature> read(Path home, String name) throws LaunchException {
    List<Feature> features = new ArrayList<>();
    read(home, name, features);
    features.sort(Comparator.comparingInt(Feature::startLevel).thenComparing(Feature::file));
    return features;
  }

  private static void read(Path home, String name, List<Feature> features) throws LaunchException {
    Path list = home.resolve("features").resolve(name + ".list");
    List<String> lines;
    try {
      lines = Files.readAllLines(list);
    } catch (IOException e) {
      throw new LaunchException(LaunchException.ERROR, "cannot read " + list + ": " + e);
    }
    for (String line : lines) {
      String[] words = line.replaceFirst("#.*", "").strip().split("\\s+", -1);
      if (words.length == 2 && words[0].equals("include")) {
        read(home, words[1], features);
      } else if (words.length == 2 && words[0].matches("\\d{1,3}")) {
        Path file = home.resolve("system").resolve(words[1] + ".jar");
        if (!Files.isRegularFile(file)) {
          throw new LaunchException(
              LaunchException.ERROR, list + " names " + words[1] + ", but there is no " + file);
        }
        features.add(new Feature(Integer.parseInt(words[0]), file));
      } else if (!words[0].isEmpty()) {
        throw new LaunchException(
            LaunchException.ERROR,
            list + ": '" + line + "' is neither 'LEVEL BUNDLE' nor 'include LIST'");
      }
    }
  }
}
