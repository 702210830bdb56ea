package dev.weft.shell.fake;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import dev.weft.api.policy.Refusal;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.message.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A scheduler whose jobs are what the test says. A job file that contains {@code bad} is wrong, one
 * that contains {@code huge} never fits, one that contains {@code steps} has two.
 */
public final class FakeJobs implements JobService {
  public static final List<Problem> PROBLEMS =
      List.of(
          new Problem(3, 5, "input.lines.file", "there is no file data.csv"),
          new Problem(0, 0, "", "a command is missing"));

  private static final JobId FIRST = Samples.id("1a2b3c40");

  private final Map<JobId, JobView> jobs = new ConcurrentSkipListMap<>();
  private final Map<JobId, List<TaskView>> tasks = new ConcurrentHashMap<>();
  private final Map<JobId, Path> results = new ConcurrentHashMap<>();
  private final Map<JobId, List<Consumer<JobView>>> watches = new ConcurrentHashMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();
  private final List<JobSource> submitted = new CopyOnWriteArrayList<>();
  private volatile Optional<DrainStatus> drain = Optional.empty();
  private volatile boolean frozen;
  private final AtomicInteger numbers = new AtomicInteger(0x1a2b3c40);

  /** Puts a job or its next state; tells those who watch. */
  public void put(JobView view) {
    jobs.put(view.id(), view);
    watches.getOrDefault(view.id(), List.of()).forEach(listener -> listener.accept(view));
  }

  public void putTasks(JobId job, List<TaskView> views) {
    tasks.put(job, views);
  }

  public void putResult(JobId job, Path file) {
    results.put(job, file);
  }

  public void putLog(AttemptId attempt, Message.Stream stream, String text) {
    logs.put(attempt + " " + stream, text);
  }

  public List<JobSource> submitted() {
    return submitted;
  }

  /** Number of open watches. */
  public int watches() {
    return watches.values().stream().mapToInt(List::size).sum();
  }

  @Override
  public Checked check(JobSource source) {
    if (source.text().contains("bad")) {
      return new Checked.Invalid(PROBLEMS);
    }
    List<JobSpec> specs =
        source.text().contains("steps")
            ? List.of(spec("clean", List.of()), spec("count words", List.of(FIRST)))
            : List.of(spec("count words", List.of()));
    return new Checked.Valid(specs, neverFits(source));
  }

  private static JobSpec spec(String name, List<JobId> needs) {
    return new JobSpec(
        name,
        new Command(List.of("wc"), new TreeMap<>(), Optional.empty()),
        List.of(),
        new Input.Count(1),
        Demand.of(Resources.ree(Amount.of(8_000, 0, 0))),
        Duration.ofMinutes(1),
        RetryRules.DEFAULT,
        new Merge.Concatenate(),
        Optional.empty(),
        JobSpec.DEFAULT_PRIORITY,
        OptionalInt.empty(),
        false,
        needs);
  }

  @Override
  public Optional<JobSpec> spec(JobId id) {
    return job(id).map(view -> spec(view.name(), view.needs()));
  }

  @Override
  public Submitted submit(JobSource source) {
    submitted.add(source);
    if (source.text().contains("bad")) {
      return new Submitted.Rejected(PROBLEMS);
    }
    List<JobId> ids = new ArrayList<>();
    for (int i = source.text().contains("steps") ? 2 : 1; i > 0; i--) {
      JobId id = Samples.id(Integer.toHexString(numbers.getAndIncrement()));
      put(ids.isEmpty() ? Samples.pending(id) : Samples.needing(id, ids.get(0)));
      ids.add(id);
    }
    return new Submitted.Accepted(ids.get(ids.size() - 1), ids, neverFits(source));
  }

  private static Map<NodeId, Refusal> neverFits(JobSource source) {
    return source.text().contains("huge") ? Map.of(Samples.ALPHA, Samples.LACKING) : Map.of();
  }

  @Override
  public List<JobView> jobs() {
    return List.copyOf(jobs.values());
  }

  @Override
  public List<JobId> find(String prefix) {
    return jobs.keySet().stream().filter(id -> id.hex().startsWith(prefix)).toList();
  }

  @Override
  public Optional<JobView> job(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  @Override
  public List<TaskView> tasks(JobId id) {
    return tasks.getOrDefault(id, List.of());
  }

  @Override
  public boolean cancel(JobId id) {
    if (jobs.get(id).state().isFinal()) {
      return false;
    }
    put(Samples.cancelled(id));
    return true;
  }

  @Override
  public AutoCloseable watch(JobId id, Consumer<JobView> listener) {
    List<Consumer<JobView>> listeners =
        watches.computeIfAbsent(id, none -> new CopyOnWriteArrayList<>());
    listeners.add(listener);
    listener.accept(jobs.get(id));
    return () -> listeners.remove(listener);
  }

  @Override
  public CompletionStage<Message> readLog(AttemptId attempt, Message.Stream stream, long offset) {
    String text = logs.get(attempt + " " + stream);
    if (text == null) {
      return CompletableFuture.completedFuture(
          new Message.Failed(
              new Fault("log.gone", Fault.Category.EXTERNAL, "the node has no such log", false)));
    }
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    int from = (int) offset;
    int to = Math.min(all.length, from + 10);
    return CompletableFuture.completedFuture(
        new Message.LogChunk(
            offset, Bytes.of(Arrays.copyOfRange(all, from, to)), to == all.length));
  }

  @Override
  public Optional<Path> result(JobId id) {
    return Optional.ofNullable(results.get(id));
  }

  @Override
  public BufferStatus buffer() {
    return Samples.buffer();
  }

  @Override
  public boolean drain(NodeId node, Duration deadline) {
    if (!node.equals(Samples.ALPHA)) {
      return false;
    }
    drain = Optional.of(Samples.drain(deadline));
    return true;
  }

  @Override
  public void endDrain(NodeId node) {
    drain = Optional.empty();
  }

  /** From now on nothing ends on nodes that are drained. */
  public void freezeDrains() {
    frozen = true;
  }

  /** How far it is; each look finds one attempt less. */
  @Override
  public Optional<DrainStatus> drain(NodeId node) {
    Optional<DrainStatus> now = drain.filter(status -> status.node().equals(node));
    if (!frozen) {
      now.ifPresent(status -> drain = Optional.of(Samples.further(status)));
    }
    return now;
  }
}
