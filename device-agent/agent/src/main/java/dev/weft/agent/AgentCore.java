package dev.weft.agent;

import dev.weft.agent.run.RunRequest;
import dev.weft.api.AttemptId;
import dev.weft.api.Fault;
import dev.weft.api.NodeId;
import dev.weft.api.Quantity;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.core.message.Message;
import dev.weft.core.message.Message.Assignment;
import dev.weft.core.message.Message.Phase;
import dev.weft.core.message.Message.Refused;
import dev.weft.core.resources.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides everything that an agent does: which attempts it starts (B8, B5), when it stops them
 * (A8), and what it tells its managers when. Plain Java: no I/O, no threads; one thread may call
 * it. Each call returns what must be done, in order.
 */
public final class AgentCore {
  /** Most attempts known at a time, running or with an outcome that was not answered. */
  static final int MAXIMUM_KNOWN = 4_096;

  /**
   * Most attempts that hold resources at a time: a report names them all and must fit a message.
   */
  static final int MAXIMUM_HELD = 512;

  /**
   * Most attempts remembered that are over or refused, so that none of them is started again: a
   * dispatch that so many others have overtaken has been given up by its scheduler long ago.
   */
  static final int MAXIMUM_REMEMBERED = 4_096;

  /** How long an outcome is kept for a manager that does not answer. */
  static final Duration OUTCOME_KEPT = Duration.ofHours(1);

  /** Longest time between two looks for attempts whose manager is silent. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final long boot;
  private final StatusPlan statuses = new StatusPlan();
  private final ReportPlan reports;
  private final Versions versions;
  private final Duration differTime;
  // In order of acceptance, so that runs can be repeated.
  private final Map<AttemptId, Slot> slots = new LinkedHashMap<>();
  private final Map<TaskId, Slot> newest = new HashMap<>();
  private final Set<AttemptId> forgotten = new LinkedHashSet<>();

  private Optional<AgentEvent.Looked> looked = Optional.empty();
  private boolean cleared;
  private boolean reportSoon;
  private Resources held = Resources.NONE;
  private int heldCount;
  private Resources free = Resources.NONE;
  private long changes;
  private long reportNumber;
  private Instant lastLook = Instant.MIN;
  private List<AgentEffect> effects = new ArrayList<>();

  /**
   * A core that knows nothing yet.
   *
   * @param boot boot number of this node
   * @param numbersBefore number before that of the first report
   * @param reportPeriod time between two reports when nothing changes
   */
  public AgentCore(long boot, long numbersBefore, Duration reportPeriod, VersionRules rules) {
    this.boot = boot;
    this.reportNumber = numbersBefore;
    this.reports = new ReportPlan(Objects.requireNonNull(reportPeriod, "reportPeriod"));
    this.versions = new Versions(rules.relation());
    this.differTime = rules.differTime();
  }

  /** Something has happened. */
  public List<AgentEffect> handle(AgentEvent event, Instant now) {
    stopForsaken(now);
    if (event instanceof AgentEvent.Ended ended) {
      ended(ended, now);
    } else if (event instanceof AgentEvent.PhaseChanged changed) {
      phaseChanged(changed, now);
    } else if (event instanceof AgentEvent.StatusAnswered answered) {
      statusAnswered(answered);
    } else if (event instanceof AgentEvent.Assign assign) {
      assign(assign, now);
    } else if (event instanceof AgentEvent.Cancel cancel) {
      cancel(cancel);
    } else {
      handleRare(event, now);
    }
    return done();
  }

  private void handleRare(AgentEvent event, Instant now) {
    if (event instanceof AgentEvent.ManagerUp up) {
      reports.managerUp(up.manager());
      statuses.managerUp(up.manager(), slots.values(), now);
      statuses.sendDue(slots.values(), now, effects);
      reportSoon = true;
    } else if (event instanceof AgentEvent.ManagerDown down) {
      reports.managerDown(down.manager());
      statuses.managerDown(down.manager());
    } else if (event instanceof AgentEvent.Looked found) {
      looked = Optional.of(found);
      free = found.offered().minusAtMost(held);
      reportSoon = true;
    } else if (event instanceof AgentEvent.Cleared) {
      cleared = true;
      reportSoon = true;
    } else if (event instanceof AgentEvent.ReportAnswered answered) {
      reportAnswered(answered, now);
    } else if (event instanceof AgentEvent.ReportPeriodChanged changed) {
      reports.period(changed.period());
    }
  }

  private void reportAnswered(AgentEvent.ReportAnswered event, Instant now) {
    if (event.answer().isEmpty()) {
      reports.failed(event.manager(), event.number());
      return;
    }
    Message.Reported answer = event.answer().get();
    boolean newTerm = versions.hear(answer.authority());
    if (answer.correction() == Message.Correction.TAKE) {
      versions.take(answer.authority().group(), answer.version());
    }
    reports.answered(event.manager(), event.number(), answer, newTerm, differTime, now);
    reportSoon = true;
  }

  /** Time has passed; to be called about every 100 ms. */
  public List<AgentEffect> tick(Instant now) {
    stopForsaken(now);
    dropOld(now);
    statuses.sendDue(slots.values(), now, effects);
    report(now);
    return done();
  }

  /** No event waits. */
  public List<AgentEffect> idle(Instant now) {
    stopForsaken(now);
    if (reportSoon) {
      reportSoon = false;
      report(now);
    }
    statuses.sendEnded(now, effects);
    return done();
  }

  /** What no attempt holds. */
  public Resources free() {
    return free;
  }

  /** How many attempts are known. */
  public int known() {
    return slots.size();
  }

  private List<AgentEffect> done() {
    if (effects.isEmpty()) {
      return List.of();
    }
    List<AgentEffect> result = effects;
    effects = new ArrayList<>();
    return result;
  }

  private void assign(AgentEvent.Assign assign, Instant now) {
    Message.Assign request = assign.request();
    Optional<Fault> all = AssignCheck.fault(request, boot);
    if (all.isEmpty() && versions.isOutdated(request.authority())) {
      all = Optional.of(outdated(request.authority()));
    }
    if (all.isEmpty() && !(cleared && looked.isPresent())) {
      all = Optional.of(full("node.starting", "this node is still starting; try again"));
    }
    List<Refused> refused = new ArrayList<>();
    for (Assignment assignment : request.assignments()) {
      Optional<Fault> fault = all;
      if (fault.isEmpty()) {
        fault = accept(assign.manager(), request, assignment, now);
      }
      if (fault.isPresent()) {
        refused.add(new Refused(assignment.attempt(), fault.get()));
        refuse(assignment.attempt());
      }
    }
    effects.add(new AgentEffect.Answer(assign.reply(), new Message.Assigned(refused)));
  }

  /** What was refused once never starts, whatever arrives later; its manager counts on that. */
  private void refuse(AttemptId attempt) {
    if (!slots.containsKey(attempt)) {
      remember(attempt);
      over(attempt);
    }
  }

  private void over(AttemptId attempt) {
    reports.over(attempt);
    changes++;
    reportSoon = true;
  }

  private Fault outdated(Authority authority) {
    return new Fault(
        "node.term",
        Fault.Category.RESOURCES,
        "given by the leader of term %d, but term %d has begun; ask for resources again"
            .formatted(authority.term(), versions.term(authority.group())),
        true);
  }

  private Optional<Fault> accept(
      NodeId manager, Message.Assign request, Assignment assignment, Instant now) {
    AttemptId attempt = assignment.attempt();
    Slot known = slots.get(attempt);
    if (known != null) {
      return known.manager().equals(manager) && known.isWanted()
          ? Optional.empty()
          : Optional.of(superseded(attempt));
    }
    if (forgotten.contains(attempt)) {
      return Optional.of(superseded(attempt));
    }
    Slot rival = newest.get(attempt.task());
    if (rival != null) {
      if (rival.attempt().number() > attempt.number() || !rival.manager().equals(manager)) {
        return Optional.of(superseded(attempt));
      }
      stop(rival, "attempt " + attempt.number() + " of the task has taken its place");
    }
    Optional<Fault> fault = unfit(assignment);
    if (fault.isPresent()) {
      return fault;
    }
    String group = request.authority().group();
    Slot slot = new Slot(attempt, manager, group, assignment.resources(), request.rules(), now);
    slots.put(attempt, slot);
    newest.put(attempt.task(), slot);
    versions.dispatched(group, assignment.version());
    heldCount++;
    changes++;
    reportSoon = true;
    hold(held.plus(slot.resources()));
    effects.add(
        new AgentEffect.StartRun(
            new RunRequest(
                attempt,
                manager,
                request.part(),
                assignment.shard(),
                assignment.resources(),
                request.rules().grace())));
    return Optional.empty();
  }

  private Optional<Fault> unfit(Assignment assignment) {
    if (slots.size() >= MAXIMUM_KNOWN || heldCount >= MAXIMUM_HELD) {
      return Optional.of(
          full(
              "node.full",
              "this node already has "
                  + heldCount
                  + " attempts running and "
                  + (slots.size() - heldCount)
                  + " whose end was not answered; place it elsewhere or wait"));
    }
    return free.lacking(assignment.resources())
        .map(
            lack ->
                full(
                    "node.full",
                    Quantity.show(lack.type(), lack.wanted())
                        + " wanted, "
                        + Quantity.format(lack.type(), lack.available())
                        + " free here; place it elsewhere or wait"));
  }

  private static Fault full(String code, String message) {
    return new Fault(code, Fault.Category.RESOURCES, message, true);
  }

  private static Fault superseded(AttemptId attempt) {
    return new Fault(
        "attempt.superseded",
        Fault.Category.INTERNAL,
        attempt + " is not current on this node any more; assign a higher attempt number",
        false);
  }

  private void hold(Resources amount) {
    held = amount;
    free = looked.map(found -> found.offered().minusAtMost(held)).orElse(Resources.NONE);
  }

  private void cancel(AgentEvent.Cancel cancel) {
    List<AttemptId> over = new ArrayList<>();
    for (AttemptId attempt : cancel.request().attempts()) {
      Slot slot = slots.get(attempt);
      if (slot == null) {
        remember(attempt); // should it still arrive, it is refused
        over.add(attempt);
      } else if (isOf(slot, cancel.manager())) {
        if (slot.isEnded()) {
          over.add(attempt);
        } else {
          stop(slot, "cancelled");
        }
      }
    }
    effects.add(new AgentEffect.Answer(cancel.reply(), new Message.Cancelled(over)));
  }

  /** Whether a manager may say what becomes of an attempt: its scheduler, or who gave it room. */
  private boolean isOf(Slot slot, NodeId manager) {
    return slot.manager().equals(manager)
        || reports.group(manager).equals(Optional.of(slot.group()));
  }

  private void stop(Slot slot, String reason) {
    if (!slot.isEnded() && !slot.isStopping()) {
      slot.stopping(reason);
      effects.add(new AgentEffect.StopRun(slot.attempt(), slot.rules().grace()));
    }
  }

  private void phaseChanged(AgentEvent.PhaseChanged changed, Instant now) {
    Slot slot = slots.get(changed.attempt());
    if (slot != null && !slot.isEnded() && changed.phase() != Phase.ENDED) {
      slot.phase(changed.phase());
      statuses.phaseChanged(slot, now);
    }
  }

  private void ended(AgentEvent.Ended ended, Instant now) {
    Slot slot = slots.get(ended.attempt());
    if (slot == null || slot.isEnded()) {
      return;
    }
    slot.end(ended.outcome(), now);
    heldCount--;
    hold(held.minusAtMost(slot.resources()));
    over(slot.attempt());
    if (slot.isWanted()) {
      statuses.ended(slot, now);
    } else {
      forget(slot, "not current");
    }
  }

  private void statusAnswered(AgentEvent.StatusAnswered answered) {
    Optional<StatusPlan.Sent> found = statuses.arrived(answered.number());
    if (found.isEmpty()) {
      return;
    }
    StatusPlan.Sent sent = found.get();
    for (StatusPlan.Told told : sent.told()) {
      Slot slot = slots.get(told.attempt());
      if (slot == null) {
        continue;
      }
      if (told.outcome()) {
        slot.outcomeUnderWay = false;
      }
      if (answered.answer().isEmpty()) {
        continue;
      }
      if (sent.at().isAfter(slot.answered)) {
        slot.answered = sent.at();
      }
      if (told.outcome()) {
        forget(slot, "answered");
      }
    }
    answered.answer().ifPresent(answer -> notCurrent(sent.manager(), answer.notCurrent()));
  }

  private void notCurrent(NodeId manager, List<AttemptId> attempts) {
    for (AttemptId attempt : attempts) {
      Slot slot = slots.get(attempt);
      if (slot == null || !slot.manager().equals(manager)) {
        continue;
      }
      slot.unwanted();
      if (slot.isEnded()) {
        forget(slot, "not current");
      } else {
        stop(slot, "not current");
      }
    }
  }

  private void forget(Slot slot, String reason) {
    slots.remove(slot.attempt());
    slot.unwanted();
    newest.remove(slot.attempt().task(), slot);
    remember(slot.attempt());
    effects.add(new AgentEffect.Forget(slot.attempt(), reason));
  }

  private void remember(AttemptId attempt) {
    forgotten.add(attempt);
    if (forgotten.size() > MAXIMUM_REMEMBERED) {
      Iterator<AttemptId> oldest = forgotten.iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Stops what its manager has not answered for (A8). First thing after a pause of the process. */
  private void stopForsaken(Instant now) {
    if (!lastLook.equals(Instant.MIN) && now.isBefore(lastLook.plus(LOOK))) {
      return;
    }
    lastLook = now;
    for (Slot slot : slots.values()) {
      if (!slot.isEnded() && !slot.isStopping() && slot.isForsaken(now)) {
        stop(slot, "its manager answered no status for " + slot.patience().toMillis() + " ms");
      }
    }
  }

  private void dropOld(Instant now) {
    Instant limit = now.minus(OUTCOME_KEPT);
    List<Slot> old = slots.values().stream().filter(slot -> slot.endedBefore(limit)).toList();
    old.forEach(slot -> forget(slot, "its manager answered no status for " + OUTCOME_KEPT));
  }

  private void report(Instant now) {
    if (!cleared || looked.isEmpty()) {
      return;
    }
    AgentEvent.Looked found = looked.get();
    ReportPlan.Content content =
        new ReportPlan.Content(found.offered(), free, found.labels(), found.inventory(), changes);
    List<ReportPlan.Due> due = reports.due(content, now);
    if (due.isEmpty()) {
      return;
    }
    List<AttemptId> running =
        slots.values().stream().filter(slot -> !slot.isEnded()).map(Slot::attempt).toList();
    for (ReportPlan.Due one : due) {
      reportNumber++;
      reports.sent(one.manager(), content, reportNumber, now);
      Optional<Message.Description> description =
          one.describe()
              ? Optional.of(new Message.Description(found.labels(), found.inventory()))
              : Optional.empty();
      effects.add(
          new AgentEffect.SendReport(
              one.manager(),
              new Message.Report(
                  boot,
                  reportNumber,
                  one.group().map(versions::term).orElse(0L),
                  found.offered(),
                  free,
                  one.group().map(versions::version).orElse(0L),
                  running,
                  one.over(),
                  one.update(),
                  description)));
    }
  }
}
