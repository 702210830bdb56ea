package dev.weft.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
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
  private static final String JARS = "*.jar";
  private static final String ENDING = ".cfg";

  /** The framework would read such files too, in a notation of their own. */
  private static final String OTHER_ENDING = ".config";

  private static final Pattern COMMENT = Pattern.compile("\\s*[#!]");

  /** An odd number of backslashes at the end. */
  private static final Pattern CONTINUED = Pattern.compile("(?<!\\\\)(\\\\\\\\)*\\\\$");

  private static final Pattern KEY = Pattern.compile("\\s*([^\\s=:#!][^\\s=:]*)");

  private final Map<String, Schema> schemas;

  private ConfigurationFiles(Map<String, Schema> schemas) {
    this.schemas = schemas;
  }

  /**
   * Reads what bundles declare.
   *
   * @param bundles folder with the jars of the distribution
   * @param dropped folder with jars that the operator adds, may be missing; a jar in it that cannot
   *     be read is passed over, because the framework tells about it and runs without it
   * @throws IOException if a jar of the distribution cannot be read; the message names it
   */
  public static ConfigurationFiles of(Path bundles, Path dropped) throws IOException {
    List<Schema> all = new ArrayList<>();
    for (Path jar : list(bundles, JARS)) {
      try {
        all.addAll(declared(jar));
      } catch (IOException e) {
        throw new IOException(jar + ": " + e.getMessage(), e);
      }
    }
    if (Files.isDirectory(dropped)) {
      for (Path jar : list(dropped, JARS)) {
        try {
          all.addAll(declared(jar));
        } catch (IOException e) {
          // Not logged here: logging is a bundle too, and this one runs before all of them.
        }
      }
    }
    return new ConfigurationFiles(Schema.byPid(all));
  }

  private static List<Schema> declared(Path jar) throws IOException {
    List<Schema> schemas = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().startsWith(MetatypeReader.FOLDER + "/")
            && entry.getName().endsWith(".xml")) {
          try (InputStream in = zip.getInputStream(entry)) {
            schemas.addAll(MetatypeReader.read(in));
          }
        }
      }
    }
    return schemas;
  }

  /**
   * What is wrong with the files of a folder.
   *
   * @return one line for each problem: file, line, key and value, what was expected
   * @throws IOException if the folder or a file cannot be read
   */
  public List<String> problems(Path folder) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : list(folder, "*" + OTHER_ENDING)) {
      problems.add(
          file + ": expected the ending .cfg; files that end with .config are not checked");
    }
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
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      problems.add(file + ": expected text in UTF-8");
      return;
    }
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
      boolean comment = !continued && COMMENT.matcher(line).lookingAt();
      continued = !comment && CONTINUED.matcher(line).find();
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
