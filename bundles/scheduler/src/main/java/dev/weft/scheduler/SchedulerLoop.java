package dev.weft.scheduler;

import dev.weft.api.AttemptId;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
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
  private static final String BUSY = "the scheduler is stopped or has too much to do; try again";

  private final SchedulerCore core;
  private final JobReader reader;
  private final ResourceManager resources;
  private final Bus bus;
  private final ManagerCalls managers;
  private final Logs logs;
  private final Work work;
  private final Loop<Runnable> loop;
  private final Mailbox<Runnable> mailbox;
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, Consumer<Message>> unanswered = new ConcurrentHashMap<>();
  private final Map<JobId, List<Consumer<JobView>>> watchers = new ConcurrentHashMap<>();
  private final Map<JobId, JobView> published = new LinkedHashMap<>();
  private boolean forgotten;
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

  /**
   * What the scheduler uses of its surroundings.
   *
   * @param self the node that it runs on
   * @param resources the resource manager of this node
   */
  record Services(NodeId self, ResourceManager resources, Bus bus, StagingArea staging) {}

  SchedulerLoop(
      SchedulerCore core,
      JobReader reader,
      JobSplitter splitter,
      Results results,
      Services services,
      Clock clock) {
    this.core = core;
    this.reader = reader;
    this.resources = services.resources();
    this.bus = services.bus();
    this.managers = new ManagerCalls(services.self(), resources, bus, this::post);
    this.work = new Work(splitter, results, services.staging(), this::isActive, this::post);
    this.logs = new Logs(bus, work);
    this.loop = new Loop<>("weft-scheduler", CAPACITY, TICK, clock, this);
    this.mailbox = new Mailbox<>(loop::offer);
    this.now = clock.instant();
  }

  /** Starts it; nothing is placed before {@link #managers} says who leads. */
  void start() {
    work.trimResults(core.settings().jobsKept());
    loop.start();
  }

  void stop() {
    loop.close();
    work.close();
  }

  /** Which resource managers there are, and who leads them. */
  void managers(List<NodeId> all, Optional<NodeId> leader) {
    post(new SchedulerEvent.Managers(all, leader));
  }

  void configure(SchedulerSettings settings) {
    mailbox.post(() -> core.configure(settings, now));
  }

  // JobService --------------------------------------------------------------------------------

  @Override
  public Checked check(JobSource source) {
    JobReader.Read read = reader.read(source);
    if (read instanceof JobReader.Read.Valid valid) {
      return new Checked.Valid(
          valid.steps().stream().map(JobReader.Step::spec).toList(), neverFits(valid.steps()));
    }
    return new Checked.Invalid(((JobReader.Read.Invalid) read).problems());
  }

  /** Of the first step that no node could ever take. */
  private Map<NodeId, Refusal> neverFits(List<JobReader.Step> steps) {
    return steps.stream()
        .map(step -> resources.neverFits(step.spec().demand()))
        .filter(refusals -> !refusals.isEmpty())
        .findFirst()
        .orElse(Map.of());
  }

  @Override
  public Submitted submit(JobSource source) {
    JobReader.Read read = reader.read(source);
    if (read instanceof JobReader.Read.Invalid invalid) {
      return new Submitted.Rejected(invalid.problems());
    }
    List<JobReader.Step> steps = ((JobReader.Read.Valid) read).steps();
    long active = jobs().stream().filter(view -> !view.state().isFinal()).count();
    if (active + steps.size() > MAXIMUM_ACTIVE_JOBS) {
      return rejected(
          "at most %d jobs that have not ended, and there are %d; wait for some, or cancel some"
              .formatted(MAXIMUM_ACTIVE_JOBS, active));
    }
    List<JobId> ids = steps.stream().map(JobReader.Step::id).toList();
    Map<NodeId, Refusal> neverFits = neverFits(steps);
    Optional<CompletableFuture<Submitted>> answer =
        question(
            () -> {
              for (JobReader.Step step : steps) {
                carryOut(
                    core.handle(
                        new SchedulerEvent.Accepted(step.id(), step.spec(), source.submitter()),
                        now));
              }
              publish();
              return new Submitted.Accepted(ids.get(ids.size() - 1), ids, neverFits);
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
  public Optional<JobSpec> spec(JobId id) {
    return ask(() -> core.job(id).map(job -> job.spec));
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
    return question(() -> Logs.kept(core, id))
        .map(answer -> answer.thenCompose(kept -> logs.read(id, kept, stream, offset)))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    new Message.Failed(
                        new Fault("scheduler.busy", Fault.Category.RESOURCES, BUSY, true))));
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
    return ask(() -> core.buffer());
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
        managers.place(place);
      } else if (effect instanceof SchedulerEffect.Dispatch dispatch) {
        dispatch(dispatch);
      } else if (effect instanceof SchedulerEffect.Cancel cancel) {
        cancelAt(cancel);
      } else if (effect instanceof SchedulerEffect.Over over) {
        managers.over(over);
      } else if (effect instanceof SchedulerEffect.Withdraw withdraw) {
        managers.withdraw(withdraw);
      } else if (effect instanceof SchedulerEffect.Suspect suspect) {
        managers.suspect(suspect);
      } else if (effect instanceof SchedulerEffect.AnswerStatus answer) {
        unanswered.remove(answer.token()).accept(new Message.StatusReceived(answer.notCurrent()));
      } else {
        forgotten |=
            effect instanceof SchedulerEffect.ForgetJob forget
                && published.remove(forget.job()) != null;
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
    List<JobView> changed = core.takeChanges();
    if (changed.isEmpty() && !forgotten) {
      return;
    }
    forgotten = false;
    changed.forEach(view -> published.put(view.id(), view));
    List<JobView> all = new ArrayList<>(published.values());
    Collections.reverse(all); // kept in order of submission, shown newest first
    snapshot = new Snapshot(all);
    // Afterwards, because whoever hears of an end asks for the result.
    changed.forEach(this::notifyWatchers);
  }

  private void notifyWatchers(JobView view) {
    if (view.state().isFinal()) {
      LOG.info("job {} ({}) is {}", view.id(), view.name(), view.state());
    }
    List<Consumer<JobView>> listeners =
        view.state().isFinal() ? watchers.remove(view.id()) : watchers.get(view.id());
    if (listeners != null) {
      listeners.forEach(listener -> listener.accept(view));
    }
  }
}
