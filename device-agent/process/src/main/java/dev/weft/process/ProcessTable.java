package dev.weft.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The living processes of the machine at one moment, with the marks in their environments. Read
 * from {@code /proc/PID/stat} and {@code /proc/PID/environ}, see proc(5). Zombies are left out:
 * they run no more.
 *
 * <p>The environment is the one the program was started with. It can be read for processes of the
 * same user, and for all by root; what cannot be read has no marks.
 */
final class ProcessTable {
  /** Variable that names the node: the node's id in hex. */
  static final String NODE = "WEFT_NODE";

  /** Variable that names the attempt: {@code <job hex>/<index>#<number>}. */
  static final String ATTEMPT = "WEFT_ATTEMPT_ID";

  private static final int MAXIMUM_STAT = 4096;
  // The kernel's own limit for arguments and environment together is 6 MiB by default.
  private static final int MAXIMUM_ENVIRONMENT = 8 * 1024 * 1024;
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int START = 19;

  /**
   * One process.
   *
   * @param start when it started, in clock ticks since the machine did
   */
  record Entry(
      long pid,
      long parent,
      long session,
      long start,
      Optional<String> node,
      Optional<String> attempt) {}

  private final Map<Long, Entry> entries;
  private final Map<Long, List<Entry>> sessions = new HashMap<>();
  private final Map<String, List<Entry>> attempts = new HashMap<>();
  private final Map<String, List<Entry>> nodes = new HashMap<>();

  ProcessTable(List<Entry> found) {
    entries = new HashMap<>();
    for (Entry entry : found) {
      entries.put(entry.pid(), entry);
      sessions.computeIfAbsent(entry.session(), key -> new ArrayList<>()).add(entry);
      entry
          .attempt()
          .ifPresent(mark -> attempts.computeIfAbsent(mark, key -> new ArrayList<>()).add(entry));
      entry
          .node()
          .ifPresent(mark -> nodes.computeIfAbsent(mark, key -> new ArrayList<>()).add(entry));
    }
  }

  /**
   * Reads the table.
   *
   * @param root {@code /proc}
   * @param since marks of processes that started before are not looked for; a start time as in
   *     {@link Entry#start}
   */
  static ProcessTable read(Path root, long since) throws IOException {
    List<Entry> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path folder : folders) {
        entry(folder, since).ifPresent(found::add);
      }
    }
    return new ProcessTable(found);
  }

  /** When a process started; empty if it is gone. */
  static Optional<Long> start(Path root, long pid) {
    return entry(root.resolve(Long.toString(pid)), Long.MAX_VALUE).map(Entry::start);
  }

  /**
   * Everything that belongs to an attempt.
   *
   * @param session id of the session that its first process led
   * @param ended whether the first process has ended, so that its id may be another's now
   */
  Set<Long> ofAttempt(String mark, long session, boolean ended) {
    Set<Long> found =
        closure(
            attempts.getOrDefault(mark, List.of()),
            member -> member.attempt().map(mark::equals).orElse(true));
    if (!ended || !entries.containsKey(session)) {
      sessions.getOrDefault(session, List.of()).forEach(entry -> found.add(entry.pid()));
    }
    found.removeAll(ownLine());
    return found;
  }

  /** What carries the mark of an attempt, and its sessions. */
  Set<Long> ofMark(String mark) {
    // No process has this id, so no session does.
    return ofAttempt(mark, -1, true);
  }

  /** Everything that belongs to a node, but for this process and those it descends from. */
  Set<Long> ofNode(String mark) {
    Set<Long> found =
        closure(
            nodes.getOrDefault(mark, List.of()),
            member -> member.node().map(mark::equals).orElse(true));
    found.removeAll(ownLine());
    return found;
  }

  /**
   * The marked ones and the members of their sessions. A session is theirs if its leader is one of
   * them or gone; it never is the one of this process.
   */
  private Set<Long> closure(List<Entry> marked, Predicate<Entry> notOthers) {
    Set<Long> found = new LinkedHashSet<>();
    marked.forEach(entry -> found.add(entry.pid()));
    long own = ProcessHandle.current().pid();
    Set<Long> seen = new HashSet<>();
    // Session 0 is what a process shows that came in from outside a container.
    seen.add(0L);
    Optional.ofNullable(entries.get(own)).ifPresent(entry -> seen.add(entry.session()));
    for (Entry entry : marked) {
      long session = entry.session();
      boolean theirs = !entries.containsKey(session) || found.contains(session);
      if (theirs && seen.add(session)) {
        sessions.getOrDefault(session, List.of()).stream()
            .filter(notOthers)
            .forEach(member -> found.add(member.pid()));
      }
    }
    return found;
  }

  private Set<Long> ownLine() {
    Set<Long> line = new HashSet<>();
    long pid = ProcessHandle.current().pid();
    while (pid > 0 && line.add(pid)) {
      Entry entry = entries.get(pid);
      pid = entry == null ? 0 : entry.parent();
    }
    return line;
  }

  private static Optional<Entry> entry(Path folder, long since) {
    try {
      String stat =
          new String(bounded(folder.resolve("stat"), MAXIMUM_STAT), StandardCharsets.UTF_8);
      // The name is in parentheses and may contain anything, so the last one counts.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
      if (fields[STATE].equals("Z") || fields[STATE].equals("X")) {
        return Optional.empty();
      }
      long start = Long.parseLong(fields[START]);
      Map<String, String> marks = start < since ? Map.of() : marks(folder.resolve("environ"));
      return Optional.of(
          new Entry(
              Long.parseLong(folder.getFileName().toString()),
              Long.parseLong(fields[PARENT]),
              Long.parseLong(fields[SESSION]),
              start,
              Optional.ofNullable(marks.get(NODE)),
              Optional.ofNullable(marks.get(ATTEMPT))));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException gone) {
      return Optional.empty();
    }
  }

  private static Map<String, String> marks(Path file) {
    byte[] bytes;
    try {
      bytes = bounded(file, MAXIMUM_ENVIRONMENT);
    } catch (IOException notReadable) {
      return Map.of();
    }
    Map<String, String> found = new HashMap<>();
    int from = 0;
    for (int to = 0; to <= bytes.length; to++) {
      if (to == bytes.length || bytes[to] == 0) {
        mark(bytes, from, to, found);
        from = to + 1;
      }
    }
    return found;
  }

  private static void mark(byte[] bytes, int from, int to, Map<String, String> found) {
    if (to - from < NODE.length() || bytes[from] != 'W' || bytes[from + 1] != 'E') {
      return;
    }
    String variable = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    int equals = variable.indexOf('=');
    if (equals > 0) {
      found.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
  }

  private static byte[] bounded(Path file, int maximum) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(maximum);
    }
  }
}
