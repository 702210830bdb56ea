package dev.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Checks the files of a configuration folder against what bundles declare, before they start. */
public final class ConfigurationFiles {
  private static final int MAXIMUM_FILE = 1 << 18;
  private static final String ENDING = ".cfg";
  private static final Pattern KEY = Pattern.compile("\\s*([^\\s=:#!][^\\s=:]*)");

  private final Map<String, Schema> schemas;

  private ConfigurationFiles(Map<String, Schema> schemas) {
    this.schemas = schemas;
  }

  /**
   * Reads what the bundles of a folder declare.
   *
   * @param bundles folder with jars
   * @throws IOException if a jar cannot be read
   */
  public static ConfigurationFiles of(Path bundles) throws IOException {
    List<Schema> all = new ArrayList<>();
    for (Path jar : list(bundles, "*.jar")) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(zip.entries())) {
          if (entry.getName().startsWith(MetatypeReader.FOLDER + "/")
              && entry.getName().endsWith(".xml")) {
            try (InputStream in = zip.getInputStream(entry)) {
              all.addAll(MetatypeReader.read(in));
            }
          }
        }
      }
    }
    return new ConfigurationFiles(Schema.byPid(all));
  }

  /**
   * What is wrong with the files of a folder.
   *
   * @return one line for each problem: file, line, key and value, what was expected
   * @throws IOException if the folder or a file cannot be read
   */
  public List<String> problems(Path folder) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : list(folder, "*" + ENDING)) {
      String name = file.getFileName().toString();
      Schema schema = schemas.get(name.substring(0, name.length() - ENDING.length()));
      if (schema == null) {
        problems.add(file + ": no bundle has such a configuration; known are " + known());
      } else if (Files.size(file) > MAXIMUM_FILE) {
        problems.add(file + ": expected at most " + MAXIMUM_FILE + " bytes");
      } else {
        check(file, schema, problems);
      }
    }
    return problems;
  }

  private String known() {
    return String.join(
        ", ",
        schemas.keySet().stream()
            .filter(pid -> pid.startsWith("weft."))
            .map(pid -> pid + ENDING)
            .toList());
  }

  private static void check(Path file, Schema schema, List<String> problems) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      problems.add(file + ": expected lines of the form key = value (" + e.getMessage() + ")");
      return;
    }
    Map<String, List<Integer>> places = places(text);
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      List<Integer> lines = places.getOrDefault(key, List.of(0));
      String value = properties.getProperty(key);
      String place = file + ":" + lines.get(lines.size() - 1) + ": " + key + " = " + value + ": ";
      if (lines.size() > 1) {
        problems.add(place + "expected once, but it is in line " + lines.get(0) + " too");
      }
      schema.problem(key, value).ifPresent(problem -> problems.add(place + problem));
    }
  }

  private static Map<String, List<Integer>> places(String text) {
    Map<String, List<Integer>> places = new HashMap<>();
    int number = 0;
    boolean continued = false;
    for (String line : text.lines().toList()) {
      number++;
      Matcher matcher = KEY.matcher(line);
      if (!continued && matcher.lookingAt()) {
        places.computeIfAbsent(matcher.group(1), key -> new ArrayList<>()).add(number);
      }
      continued = line.endsWith("\\");
    }
    return places;
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    TreeSet<Path> sorted = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      entries.forEach(sorted::add);
    }
    return List.copyOf(sorted);
  }
}
