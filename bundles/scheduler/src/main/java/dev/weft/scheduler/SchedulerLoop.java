package dev.weft.scheduler;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.api.job.JobSpec;
import dev.weft.api.policy.Refusal;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.job.BufferStatus;
import dev.weft.core.job.DrainStatus;
import dev.weft.core.job.JobService;
import dev.weft.core.job.JobSource;
import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import dev.weft.core.loop.Loop;
import dev.weft.core.loop.Mailbox;
import dev.weft.core.message.Message;
import dev.weft.core.resources.ResourceManager;
import dev.weft.core.staging.StagingArea;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives {@link SchedulerCore} its thread and carries out what it wants done. */
final class SchedulerLoop
    implements JobService, MessageHandler, PeerListener, Loop.Handler<Runnable> {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);
  private static final int CAPACITY = 65_536;
  private static final int MAXIMUM_ACTIVE_JOBS = 10_000;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration REQUEST_DEADLINE = Duration.ofSeconds(5);
  private static final long QUERY_SECONDS = 10;
  private static final int JOB_ID_BYTES = 16;
  private static final String BUSY = "the scheduler is stopped or has too much to do; try again";

  private final SchedulerCore core;
  private final JobReader reader;
  private final ResourceManager resources;
  private final Bus bus;
  private final Work work;
  private final Loop<Runnable> loop;
  private final Mailbox<Runnable> mailbox;
  private final SecureRandom random = new SecureRandom();
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, Consumer<Message>> unanswered = new ConcurrentHashMap<>();
  private final Map<JobId, List<Consumer<JobView>>> watchers = new ConcurrentHashMap<>();
  private volatile Snapshot snapshot = new Snapshot(List.of());
  private Instant now;

  /** What can be seen from any thread: every job, newest first. */
  private record Snapshot(List<JobView> views, Map<JobId, JobView> byId) {
    Snapshot(List<JobView> views) {
      this(
          List.copyOf(views),
          views.stream().collect(Collectors.toUnmodifiableMap(JobView::id, view -> view)));
    }
  }

  SchedulerLoop(
      SchedulerSettings settings,
      JobReader reader,
      JobSplitter splitter,
      Results results,
      StagingArea staging,
      ResourceManager resources,
      Bus bus,
      Clock clock) {
    this.core = new SchedulerCore(settings);
    this.reader = reader;
    this.resources = resources;
    this.bus = bus;
    this.work = new Work(splitter, results, staging, this::isActive, this::post);
    this.loop = new Loop<>("weft-scheduler", CAPACITY, TICK, clock, this);
    this.mailbox = new Mailbox<>(loop::offer);
    this.now = clock.instant();
  }

  void start() {
    work.trimResults(core.settings().jobsKept());
    loop.start();
  }

  void stop() {
    loop.close();
    work.close();
  }

  void configure(SchedulerSettings settings) {
    mailbox.post(() -> core.configure(settings));
  }

  // JobService --------------------------------------------------------------------------------

  @Override
  public Checked check(JobSource source) {
    JobReader.Read read = reader.read(source);
    return read instanceof JobReader.Read.Valid valid
        ? new Checked.Valid(List.of(valid.spec()), resources.neverFits(valid.spec().demand()))
        : new Checked.Invalid(((JobReader.Read.Invalid) read).problems());
  }

  @Override
  public Submitted submit(JobSource source) {
    Checked checked = check(source);
    if (checked instanceof Checked.Invalid invalid) {
      return new Submitted.Rejected(invalid.problems());
    }
    if (jobs().stream().filter(view -> !view.state().isFinal()).count() >= MAXIMUM_ACTIVE_JOBS) {
      return rejected(MAXIMUM_ACTIVE_JOBS + " jobs have not ended; wait for some, or cancel some");
    }
    Checked.Valid valid = (Checked.Valid) checked;
    byte[] drawn = new byte[JOB_ID_BYTES];
    random.nextBytes(drawn);
    JobId id = new JobId(HexFormat.of().formatHex(drawn));
    Map<NodeId, Refusal> neverFits = valid.neverFits();
    Optional<CompletableFuture<Submitted>> answer =
        question(
            () -> {
              JobSpec spec = valid.steps().get(0);
              carryOut(core.handle(new SchedulerEvent.Accepted(id, spec, source.submitter()), now));
              publish();
              return new Submitted.Accepted(id, List.of(id), neverFits);
            });
    return answer.isEmpty() ? rejected(BUSY) : answer.get().join();
  }

  private static Submitted rejected(String why) {
    return new Submitted.Rejected(List.of(new Problem(0, 0, "", why)));
  }

  private boolean isActive(JobId id) {
    return job(id).filter(view -> !view.state().isFinal()).isPresent();
  }

  /** Runs something on the loop's thread; empty if it has too much to do. */
  private <T> Optional<CompletableFuture<T>> question(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    return mailbox.offer(() -> answer.complete(question.get()))
        ? Optional.of(answer.orTimeout(QUERY_SECONDS, TimeUnit.SECONDS))
        : Optional.empty();
  }

  /** Runs something on the loop's thread and waits for it. */
  private <T> T ask(Supplier<T> question) {
    return this.<T>question(question).orElseThrow(() -> new IllegalStateException(BUSY)).join();
  }

  @Override
  public List<JobView> jobs() {
    return snapshot.views();
  }

  @Override
  public List<JobId> find(String prefix) {
    return jobs().stream()
        .map(JobView::id)
        .filter(id -> id.hex().startsWith(prefix))
        .sorted()
        .toList();
  }

  @Override
  public Optional<JobView> job(JobId id) {
    return Optional.ofNullable(snapshot.byId().get(id));
  }

  @Override
  public List<TaskView> tasks(JobId id) {
    return ask(() -> core.tasks(id));
  }

  @Override
  public boolean cancel(JobId id) {
    return ask(
        () -> {
          boolean runs = core.job(id).filter(job -> !job.isEnded()).isPresent();
          carryOut(core.handle(new SchedulerEvent.CancelAsked(id), now));
          publish();
          return runs;
        });
  }

  @Override
  public AutoCloseable watch(JobId id, Consumer<JobView> listener) {
    return ask(
        () -> {
          publish();
          Optional<JobView> job = job(id);
          job.ifPresent(listener);
          if (job.isEmpty() || job.get().state().isFinal()) {
            return () -> {}; // nothing will follow
          }
          List<Consumer<JobView>> all =
              watchers.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>());
          all.add(listener);
          return () -> all.remove(listener);
        });
  }

  @Override
  public CompletionStage<Message> readLog(AttemptId id, Message.Stream stream, long offset) {
    return question(() -> kept(id))
        .map(answer -> answer.thenCompose(kept -> readLog(id, kept, stream, offset)))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    new Message.Failed(
                        new Fault("scheduler.busy", Fault.Category.RESOURCES, BUSY, true))));
  }

  /** What the manager has of an attempt. */
  private record Kept(NodeId node, String nodeName, Bytes errorTail, Optional<ContentId> result) {}

  private Optional<Kept> kept(AttemptId id) {
    Optional<Task> task = core.job(id.task().job()).flatMap(job -> job.task(id.task().index()));
    return task.flatMap(known -> known.attempt(id.number()))
        .map(
            attempt ->
                new Kept(
                    attempt.node,
                    attempt.nodeName,
                    Bytes.of(attempt.errorTail()),
                    attempt.state() == TaskView.AttemptState.SUCCEEDED
                        ? task.get().result()
                        : Optional.empty()));
  }

  private CompletionStage<Message> readLog(
      AttemptId id, Optional<Kept> known, Message.Stream stream, long offset) {
    if (known.isEmpty()) {
      return CompletableFuture.completedFuture(
          failed("log.unknown", "there is no attempt " + id.number() + " of task " + id.task()));
    }
    Kept kept = known.get();
    return bus.request(kept.node(), new Message.ReadLog(id, stream, offset), REQUEST_DEADLINE)
        .thenCompose(
            answer ->
                answer instanceof Message.LogChunk
                    ? CompletableFuture.completedFuture(answer)
                    : keptLog(id, kept, stream, offset));
  }

  /** What the manager still knows when the node does not. */
  private CompletionStage<Message> keptLog(
      AttemptId id, Kept kept, Message.Stream stream, long offset) {
    Message gone =
        failed("log.gone", "node " + kept.nodeName() + " does not have this log any more");
    if (stream == Message.Stream.OUTPUT && kept.result().isPresent()) {
      return work.read(id.task(), kept.result().get(), offset)
          .thenApply(chunk -> chunk.isPresent() ? chunk.get() : gone);
    }
    boolean hasTail = stream == Message.Stream.ERRORS && kept.errorTail().length() > 0;
    return CompletableFuture.completedFuture(
        hasTail
            ? new Message.LogChunk(offset, offset == 0 ? kept.errorTail() : Bytes.EMPTY, true)
            : gone);
  }

  private static Message failed(String code, String message) {
    return new Message.Failed(new Fault(code, Fault.Category.RESOURCES, message, false));
  }

  @Override
  public Optional<Path> result(JobId id) {
    return job(id)
        .filter(view -> view.state().isFinal())
        .map(view -> work.result(view.id()))
        .filter(Files::isRegularFile);
  }

  @Override
  public BufferStatus buffer() {
    return ask(() -> core.buffer(now));
  }

  @Override
  public boolean drain(NodeId node, Duration deadline) {
    // First, so that what is placed from now on is known not to be on that node.
    if (!resources.eligible(node, false)) {
      return false;
    }
    return ask(
        () -> {
          carryOut(core.handle(new SchedulerEvent.DrainAsked(node, deadline), now));
          return true;
        });
  }

  @Override
  public void endDrain(NodeId node) {
    boolean ended =
        ask(
            () -> {
              carryOut(core.handle(new SchedulerEvent.DrainEnded(node), now));
              return true;
            });
    if (ended) {
      resources.eligible(node, true);
    }
  }

  @Override
  public Optional<DrainStatus> drain(NodeId node) {
    return ask(() -> core.drain(node));
  }

  // From nodes --------------------------------------------------------------------------------

  @Override
  public Set<Class<? extends Message>> kinds() {
    return Set.of(Message.Status.class);
  }

  @Override
  public void handle(Peer from, Message request, Consumer<Message> answer) {
    long token = tokens.incrementAndGet();
    unanswered.put(token, answer);
    work.keepResults(
        ((Message.Status) request).attempts(),
        stored -> {
          SchedulerEvent event = new SchedulerEvent.StatusArrived(from, stored, token);
          if (!mailbox.offer(() -> carryOut(core.handle(event, now)))) {
            refuse(token, new Fault("scheduler.busy", Fault.Category.RESOURCES, BUSY, true));
          }
        },
        fault -> refuse(token, fault));
  }

  private void refuse(long token, Fault fault) {
    unanswered.remove(token).accept(new Message.Failed(fault));
  }

  @Override
  public void peerUp(Peer peer) {
    if (peer.roles().contains(Role.AGENT)) {
      post(new SchedulerEvent.NodeUp(peer));
    }
  }

  @Override
  public void peerDown(Peer peer, Fault reason) {
    if (peer.roles().contains(Role.AGENT)) {
      post(new SchedulerEvent.NodeDown(peer, reason));
    }
  }

  private void post(SchedulerEvent event) {
    mailbox.post(() -> carryOut(core.handle(event, now)));
  }

  // On the loop's thread ----------------------------------------------------------------------

  @Override
  public void handle(Runnable action, Instant time) {
    now = time;
    action.run();
  }

  @Override
  public void idle(Instant time) {
    mailbox.drain();
  }

  @Override
  public void tick(Instant time) {
    now = time;
    mailbox.drain();
    carryOut(core.tick(time));
    publish();
  }

  private void carryOut(List<SchedulerEffect> effects) {
    for (SchedulerEffect effect : effects) {
      if (effect instanceof SchedulerEffect.Place place) {
        resources
            .place(place.requests())
            .thenAccept(placements -> post(new SchedulerEvent.Placements(placements)));
      } else if (effect instanceof SchedulerEffect.Dispatch dispatch) {
        dispatch(dispatch);
      } else if (effect instanceof SchedulerEffect.Cancel cancel) {
        cancelAt(cancel);
      } else if (effect instanceof SchedulerEffect.Over over) {
        resources.over(over.node(), over.boot(), over.attempts());
      } else if (effect instanceof SchedulerEffect.Withdraw withdraw) {
        resources.withdraw(withdraw.attempts());
      } else if (effect instanceof SchedulerEffect.AnswerStatus answer) {
        unanswered.remove(answer.token()).accept(new Message.StatusReceived(answer.notCurrent()));
      } else {
        work.accept(effect);
      }
    }
  }

  private void dispatch(SchedulerEffect.Dispatch dispatch) {
    Message.JobPart part =
        new Message.JobPart(
            dispatch.job(),
            dispatch.command(),
            dispatch.files(),
            dispatch.spec().timeLimit(),
            dispatch.tasks(),
            work.stagingPort());
    List<AttemptId> attempts =
        dispatch.assignments().stream().map(Message.Assignment::attempt).toList();
    bus.request(
            dispatch.node(),
            new Message.Assign(
                dispatch.boot(),
                dispatch.authority(),
                part,
                core.settings().rules(),
                dispatch.assignments()),
            REQUEST_DEADLINE)
        .thenAccept(
            answer ->
                post(
                    new SchedulerEvent.Dispatched(
                        dispatch.node(), dispatch.boot(), attempts, answer)));
  }

  private void cancelAt(SchedulerEffect.Cancel cancel) {
    bus.request(cancel.node(), new Message.Cancel(cancel.attempts()), REQUEST_DEADLINE)
        .thenAccept(
            answer -> {
              if (answer instanceof Message.Cancelled cancelled) {
                post(new SchedulerEvent.Cancelled(cancel.node(), cancelled.over()));
              }
            });
  }

  private void publish() {
    List<JobView> all = new ArrayList<>();
    Map<JobId, JobView> before = snapshot.byId();
    List<JobView> changed = new ArrayList<>();
    for (Job job : core.jobs()) {
      if (!job.changed && before.containsKey(job.id)) {
        all.add(before.get(job.id));
        continue;
      }
      job.changed = false;
      JobView view = job.view();
      all.add(view);
      changed.add(view);
    }
    if (!changed.isEmpty() || before.size() != all.size()) {
      Collections.reverse(all); // kept in order of submission, shown newest first
      snapshot = new Snapshot(all);
    }
    // Afterwards, because whoever hears of an end asks for the result.
    changed.forEach(view -> notifyWatchers(view, before.get(view.id())));
  }

  private void notifyWatchers(JobView view, JobView before) {
    if (view.state().isFinal() && (before == null || !before.state().isFinal())) {
      LOG.info("job {} ({}) is {}", view.id(), view.name(), view.state());
    }
    List<Consumer<JobView>> listeners =
        view.state().isFinal() ? watchers.remove(view.id()) : watchers.get(view.id());
    if (listeners != null) {
      listeners.forEach(listener -> listener.accept(view));
    }
  }
}
