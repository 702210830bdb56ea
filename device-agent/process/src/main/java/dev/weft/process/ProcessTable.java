package dev.weft.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
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

  // The kernel's own limit for arguments and environment together is 6 MiB by default.
  private static final int MAXIMUM_ENVIRONMENT = 8 * 1024 * 1024;

  /**
   * One process.
   *
   * @param start when it started, in clock ticks since the machine did
   * @param isUnclear whether its environment could not be seen now, because a program replaces
   *     another at this moment, or it ends
   */
  record Entry(
      long pid,
      long parent,
      long session,
      long start,
      boolean isUnclear,
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
    return new ProcessTable(
        folders(root).stream().flatMap(folder -> entry(folder, since).stream()).toList());
  }

  /** The processes, zombies among them, whose parent is the given one. */
  static List<Long> children(Path root, long parent) throws IOException {
    return folders(root).stream()
        .filter(
            folder -> ProcessStat.read(folder).map(read -> read.parent() == parent).orElse(false))
        .map(folder -> Long.valueOf(folder.getFileName().toString()))
        .toList();
  }

  private static List<Path> folders(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
      folders.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** When a process started; empty if it is gone. */
  static Optional<Long> start(Path root, long pid) {
    return ProcessStat.read(root.resolve(Long.toString(pid))).map(ProcessStat::start);
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
    return ProcessStat.read(folder)
        .filter(stat -> !stat.isZombie())
        .map(stat -> entry(folder, stat, since));
  }

  /**
   * One process with its marks.
   *
   * @param folder {@code /proc/PID}
   * @param stat what was read there before
   * @param since as for {@link #read}
   */
  static Entry entry(Path folder, ProcessStat stat, long since) {
    Optional<byte[]> environment =
        stat.isKernels() || stat.start() < since ? Optional.empty() : environment(folder);
    boolean isUnclear =
        environment.map(bytes -> bytes.length == 0).orElse(false)
            && !ProcessStat.read(folder).map(now -> now.isSameProgram(stat)).orElse(false);
    Map<String, String> marks = environment.map(ProcessTable::marks).orElse(Map.of());
    return new Entry(
        Long.parseLong(folder.getFileName().toString()),
        stat.parent(),
        stat.session(),
        stat.start(),
        isUnclear,
        Optional.ofNullable(marks.get(NODE)),
        Optional.ofNullable(marks.get(ATTEMPT)));
  }

  private static Optional<byte[]> environment(Path folder) {
    try {
      return Optional.of(bounded(folder.resolve("environ"), MAXIMUM_ENVIRONMENT));
    } catch (IOException notReadable) {
      return Optional.empty();
    }
  }

  private static Map<String, String> marks(byte[] bytes) {
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
