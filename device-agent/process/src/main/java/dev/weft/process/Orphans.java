package dev.weft.process;

import dev.weft.process.ProcessTable.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What attempts left running. This process is their subreaper, see {@code
 * PR_SET_CHILD_SUBREAPER(2const)}: whatever loses its parent becomes a child of this process, and
 * has done so before the end of that parent can be seen. So what is left of an attempt whose first
 * process has ended is always below these children, however often it forked.
 *
 * <p>The kernel gives orphans to the first thread of a process that lives. That of a JVM lives as
 * long as the JVM, and starts no processes itself.
 */
final class Orphans {
  private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

  /**
   * What is a zombie for so long is waited for by nobody. Java takes the exit codes of what it
   * started itself much sooner; taking one from it would lose it.
   */
  private static final long ABANDONED = Duration.ofSeconds(1).toNanos();

  private static final int MAXIMUM_LOOKS = 8;
  private static final int MAXIMUM_BYTES = 1 << 20;

  private final Path root;
  private final Optional<? extends Adoption> adoption;
  private final long own;
  private final long session;
  private final Set<Long> started = ConcurrentHashMap.newKeySet();
  private Map<Long, Long> zombies = new HashMap<>();

  /**
   * Adopts from now on.
   *
   * @param root {@code /proc}
   * @param own id of this process
   * @param adoption empty if nothing can be started here, so that there are no orphans either
   */
  Orphans(Path root, long own, Optional<? extends Adoption> adoption) {
    this.root = root;
    this.adoption = adoption;
    this.own = own;
    this.session = ProcessStat.read(folder(own)).map(ProcessStat::session).orElse(0L);
    if (!adoption.map(Adoption::adopt).orElse(true)) {
      LOG.warn("This system gives orphans to no other process; a daemon may outlive its task");
    }
  }

  /** This process has started another, which is no orphan. May be called on any thread. */
  void started(long pid) {
    started.add(pid);
  }

  /** What this process had started has ended. May be called on any thread. */
  void ended(long pid) {
    started.remove(pid);
  }

  /**
   * The orphans that live, and takes leave of those that do not. What is in the session of this
   * process was not left by an attempt: each leads its own.
   *
   * <p>They are looked at between two reads of the list that are alike. So the list is whole: a
   * read can only miss some if others are reaped meanwhile, of which the first of two would have
   * seen more. And whoever was found to have ended has left nothing that is not in the list.
   *
   * @param now of {@link System#nanoTime}
   * @return empty if they cannot be told now, because they change too fast
   */
  Optional<List<Entry>> living(long now) throws IOException {
    List<Long> children = children();
    for (int looks = 0; looks < MAXIMUM_LOOKS; looks++) {
      List<Entry> found = new ArrayList<>();
      List<Long> over = new ArrayList<>();
      children.forEach(pid -> look(pid, found, over));
      List<Long> again = children();
      if (again.equals(children)) {
        reap(over, now);
        return Optional.of(found);
      }
      children = again;
    }
    return Optional.empty();
  }

  private void look(long pid, List<Entry> living, List<Long> over) {
    if (started.contains(pid)) {
      return;
    }
    Optional<ProcessStat> stat = ProcessStat.read(folder(pid));
    if (stat.isEmpty() || stat.get().session() == session) {
      return;
    }
    if (stat.get().isZombie()) {
      over.add(pid);
    } else {
      living.add(ProcessTable.entry(folder(pid), stat.get(), 0));
    }
  }

  private void reap(List<Long> over, long now) {
    Map<Long, Long> waiting = new HashMap<>();
    for (long pid : over) {
      long since = zombies.getOrDefault(pid, now);
      if (now - since < ABANDONED) {
        waiting.put(pid, since);
      } else {
        adoption.ifPresent(system -> system.reap(pid));
      }
    }
    zombies = waiting;
  }

  private List<Long> children() throws IOException {
    Path file = folder(own).resolve("task").resolve(Long.toString(own)).resolve("children");
    if (!Files.exists(file)) {
      // A kernel without CONFIG_PROC_CHILDREN; what forks during the search may be missed.
      return ProcessTable.children(root, own);
    }
    return Arrays.stream(read(file).split(" ", -1))
        .filter(id -> !id.isBlank())
        .map(id -> Long.valueOf(id.strip()))
        .toList();
  }

  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAXIMUM_BYTES), StandardCharsets.US_ASCII);
    }
  }

  private Path folder(long pid) {
    return root.resolve(Long.toString(pid));
  }
}
