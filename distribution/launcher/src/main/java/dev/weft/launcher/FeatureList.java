package dev.weft.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a profile has.
 *
 * @param bundles in order of start level and name, so that every start is alike
 * @param ready filters of the services that are present when the profile works
 */
record FeatureList(List<Entry> bundles, List<String> ready) {
  FeatureList {
    bundles =
        bundles.stream()
            .sorted(Comparator.comparingInt(Entry::startLevel).thenComparing(Entry::file))
            .toList();
    ready = List.copyOf(ready);
  }

  /**
   * A bundle.
   *
   * @param startLevel when it starts
   * @param file its jar
   */
  record Entry(int startLevel, Path file) {}

  /** Reads {@code features/NAME.list} of an installation, and the lists that it includes. */
  static FeatureList read(Path home, String name) throws LaunchException {
    List<Entry> bundles = new ArrayList<>();
    List<String> ready = new ArrayList<>();
    read(home, List.of(name), bundles, ready);
    return new FeatureList(bundles, ready);
  }

  /** Reads the last of the lists; the ones before it are those that include it. */
  private static void read(Path home, List<String> names, List<Entry> bundles, List<String> ready)
      throws LaunchException {
    String name = names.get(names.size() - 1);
    Path list = home.resolve("features").resolve(name + ".list");
    List<String> lines;
    try {
      lines = Files.readAllLines(list);
    } catch (IOException e) {
      throw new LaunchException(LaunchException.ERROR, "cannot read " + list + ": " + e);
    }
    for (String line : lines) {
      String[] words = line.replaceFirst("#.*", "").strip().split("\\s+", 2);
      if (words.length == 2 && words[0].equals("include")) {
        if (names.contains(words[1])) {
          throw new LaunchException(
              LaunchException.ERROR, list + " includes " + words[1] + ", which includes it");
        }
        List<String> longer = new ArrayList<>(names);
        longer.add(words[1]);
        read(home, longer, bundles, ready);
      } else if (words.length == 2 && words[0].equals("ready")) {
        ready.add(words[1]);
      } else if (words.length == 2 && words[0].matches("\\d{1,3}")) {
        bundles.add(new Entry(Integer.parseInt(words[0]), jar(home, list, words[1])));
      } else if (!words[0].isEmpty()) {
        throw new LaunchException(
            LaunchException.ERROR,
            list + ": '" + line + "': expected LEVEL BUNDLE, include LIST or ready FILTER");
      }
    }
  }

  private static Path jar(Path home, Path list, String bundle) throws LaunchException {
    Path file = home.resolve("system").resolve(bundle + ".jar");
    if (!Files.isRegularFile(file)) {
      throw new LaunchException(
          LaunchException.ERROR, list + " names " + bundle + ", but there is no " + file);
    }
    return file;
  }
}
