package dev.weft.core.message;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.ContentId;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.Placement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What managers and agents say to each other. Each is a request or the answer to one. The wire form
 * is described in {@code docs/protocol.md}.
 */
public sealed interface Message {
  /**
   * Agent to manager: what the node has and offers (A5). Answered with {@link Reported}.
   *
   * @param boot boot number of the node, raised at each start (B3)
   * @param number number of the report in this boot, from 1
   * @param term highest term of this manager's group that the node knows ({@link Authority})
   * @param offered what the operator offers
   * @param free what of it no attempt holds
   * @param version version of the free amount that the node believes, in this group (B1)
   * @param held every attempt the node holds resources for
   * @param over every attempt that ended or was refused and was not acknowledged yet (B7)
   * @param update whether the free amount is to be adopted whatever its version (B4 c)
   * @param description what changes seldom; present if it changed or the manager asked for it
   */
  record Report(
      long boot,
      long number,
      long term,
      Resources offered,
      Resources free,
      long version,
      List<AttemptId> held,
      List<AttemptId> over,
      boolean update,
      Optional<Description> description)
      implements Message {
    /** Copies and checks. */
    public Report {
      Objects.requireNonNull(offered, "offered");
      Objects.requireNonNull(free, "free");
      Objects.requireNonNull(description, "description");
      held = List.copyOf(held);
      over = List.copyOf(over);
    }
  }

  /**
   * What a node says of itself beside amounts.
   *
   * @param labels labels from the node's configuration
   * @param inventory what the probes found
   */
  record Description(SortedMap<String, String> labels, Inventory inventory) {
    /** Copies and checks. */
    public Description {
      Objects.requireNonNull(inventory, "inventory");
      labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }
  }

  /**
   * Answer to {@link Report}.
   *
   * @param authority who leads the resource managers, as this one knows
   * @param acknowledged attempts that were named as over and need not be named again
   * @param correction what follows from the version of the report (B4)
   * @param version version that the node takes ({@link Correction#TAKE})
   * @param describe whether the manager lacks the node's description
   */
  record Reported(
      Authority authority,
      List<AttemptId> acknowledged,
      Correction correction,
      long version,
      boolean describe)
      implements Message {
    /** Copies and checks. */
    public Reported {
      Objects.requireNonNull(authority, "authority");
      Objects.requireNonNull(correction, "correction");
      acknowledged = List.copyOf(acknowledged);
    }
  }

  /** What a manager makes of the version in a report (B4). */
  enum Correction {
    /** Nothing is to be done. */
    NONE,
    /** The node takes the version given, whatever it believed. */
    TAKE,
    /** The versions differ: the node starts its timer (mode c). */
    DIFFERS,
    /** The versions agree: the node stops its timer (mode c). */
    AGREES
  }

  /**
   * Manager to agent: run these (A2). Answered with {@link Assigned}.
   *
   * @param boot boot of the node that this is meant for; in another the node refuses (B5)
   * @param authority who gave the resources; if an earlier leader, the node refuses
   * @param part what all assignments have in common
   * @param rules how the node reports on them
   * @param assignments at most {@link #MAXIMUM_ASSIGNMENTS}, all of one job
   */
  record Assign(
      long boot, Authority authority, JobPart part, StatusRules rules, List<Assignment> assignments)
      implements Message {
    /** Most assignments in one message. */
    public static final int MAXIMUM_ASSIGNMENTS = 128;

    /** Copies and checks. */
    public Assign {
      Objects.requireNonNull(authority, "authority");
      Objects.requireNonNull(part, "part");
      Objects.requireNonNull(rules, "rules");
      assignments = List.copyOf(assignments);
      if (assignments.isEmpty() || assignments.size() > MAXIMUM_ASSIGNMENTS) {
        throw new IllegalArgumentException("1 to " + MAXIMUM_ASSIGNMENTS + " assignments");
      }
    }
  }

  /**
   * What all tasks of a job, or its merge task, have in common.
   *
   * @param job the job
   * @param command what to run
   * @param files more files that the attempt's folder must hold
   * @param timeLimit longest run
   * @param tasks number of shards of the job
   * @param stagingPort port of the manager's staging area, at the address of the manager
   */
  record JobPart(
      JobId job,
      Command command,
      List<StagedFile> files,
      Duration timeLimit,
      int tasks,
      int stagingPort) {
    /** Copies and checks. */
    public JobPart {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(command, "command");
      Objects.requireNonNull(timeLimit, "timeLimit");
      files = List.copyOf(files);
    }
  }

  /**
   * A file to be placed into the folder of an attempt.
   *
   * @param name plain file name, no separators
   * @param content its bytes
   * @param executable whether it may be executed
   */
  record StagedFile(String name, ContentId content, boolean executable) {
    /** Checks. */
    public StagedFile {
      Objects.requireNonNull(content, "content");
      if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
        throw new IllegalArgumentException("not a plain file name: '" + name + "'");
      }
    }
  }

  /**
   * How a node reports on its attempts (A8).
   *
   * @param period time between two statuses
   * @param periods after so many without an answer the node stops the attempt
   * @param grace time between asking an attempt to end and ending it by force
   */
  record StatusRules(Duration period, int periods, Duration grace) {
    /** Checks. */
    public StatusRules {
      if (period.isNegative() || period.isZero() || periods < 1 || grace.isNegative()) {
        throw new IllegalArgumentException("period, periods and grace must be positive");
      }
    }
  }

  /**
   * One attempt to run.
   *
   * @param attempt which
   * @param shard what it works on
   * @param resources what it takes of the node, graphics processors by device
   * @param remaining what the node has free after it was taken, as the manager believes (B2)
   * @param version version of that free amount (B2)
   */
  record Assignment(
      AttemptId attempt, Shard shard, Resources resources, Resources remaining, long version) {
    /** Checks. */
    public Assignment {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(shard, "shard");
      Objects.requireNonNull(resources, "resources");
      Objects.requireNonNull(remaining, "remaining");
    }
  }

  /**
   * Answer to {@link Assign}.
   *
   * @param refused attempts that the node does not start, and why (B8); all others are accepted
   */
  record Assigned(List<Refused> refused) implements Message {
    /** Copies. */
    public Assigned {
      refused = List.copyOf(refused);
    }
  }

  /**
   * An attempt that a node does not start.
   *
   * @param attempt which
   * @param fault why
   */
  record Refused(AttemptId attempt, Fault fault) {}

  /**
   * Manager to agent: these attempts are not wanted any more (B7). Those that run are stopped; all
   * others the node refuses from now on. Answered with {@link Cancelled}.
   *
   * @param attempts at most {@link #MAXIMUM_ATTEMPTS}
   */
  record Cancel(List<AttemptId> attempts) implements Message {
    /** Most attempts in one message. */
    public static final int MAXIMUM_ATTEMPTS = 128;

    /** Copies and checks. */
    public Cancel {
      attempts = List.copyOf(attempts);
      if (attempts.size() > MAXIMUM_ATTEMPTS) {
        throw new IllegalArgumentException("at most " + MAXIMUM_ATTEMPTS + " attempts");
      }
    }
  }

  /**
   * Answer to {@link Cancel}.
   *
   * @param over those that hold nothing of the node and never will; the others are named in a
   *     report when they have ended
   */
  record Cancelled(List<AttemptId> over) implements Message {
    /** Copies. */
    public Cancelled {
      over = List.copyOf(over);
    }
  }

  /**
   * Agent to manager: how attempts are doing (A7, A8); ended ones are repeated until answered.
   * Answered with {@link StatusReceived}.
   */
  record Status(List<AttemptStatus> attempts) implements Message {
    /** Most attempts in one message. */
    public static final int MAXIMUM_ATTEMPTS = 128;

    /** Copies and checks. */
    public Status {
      attempts = List.copyOf(attempts);
      if (attempts.size() > MAXIMUM_ATTEMPTS) {
        throw new IllegalArgumentException("at most " + MAXIMUM_ATTEMPTS + " attempts");
      }
    }
  }

  /**
   * One attempt's state.
   *
   * @param attempt which
   * @param phase what it is doing
   * @param elapsed time since it was accepted
   * @param outcome present if and only if the phase is {@link Phase#ENDED}
   */
  record AttemptStatus(
      AttemptId attempt, Phase phase, Duration elapsed, Optional<Outcome> outcome) {
    /** Checks. */
    public AttemptStatus {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(phase, "phase");
      Objects.requireNonNull(elapsed, "elapsed");
      if (outcome.isPresent() != (phase == Phase.ENDED)) {
        throw new IllegalArgumentException("an outcome belongs to an ended attempt: " + attempt);
      }
    }
  }

  /** What an attempt is doing. */
  enum Phase {
    /** Its folder, input and files are being prepared. */
    STAGING,
    /** Its command runs. */
    RUNNING,
    /** Its result is on the way to the manager. */
    DELIVERING,
    /** It is over. */
    ENDED
  }

  /**
   * Answer to {@link Status}.
   *
   * @param notCurrent attempts that are not wanted any more: stop them at once, forget their
   *     results
   */
  record StatusReceived(List<AttemptId> notCurrent) implements Message {
    /** Copies. */
    public StatusReceived {
      notCurrent = List.copyOf(notCurrent);
    }
  }

  /**
   * Manager to agent: a piece of an attempt's output. Answered with {@link LogChunk}, or with
   * {@link Failed} code {@code log.gone}.
   *
   * @param attempt which
   * @param stream which of its streams
   * @param offset from which byte
   */
  record ReadLog(AttemptId attempt, Stream stream, long offset) implements Message {
    /** Checks. */
    public ReadLog {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(stream, "stream");
      if (offset < 0) {
        throw new IllegalArgumentException("offset must not be negative: " + offset);
      }
    }
  }

  /** Which output of a command. */
  enum Stream {
    /** Standard output. */
    OUTPUT,
    /** Standard error. */
    ERRORS
  }

  /**
   * Answer to {@link ReadLog}.
   *
   * @param offset of the first byte
   * @param bytes at most {@link #MAXIMUM_BYTES}
   * @param end whether nothing can follow
   */
  record LogChunk(long offset, Bytes bytes, boolean end) implements Message {
    /** Most bytes in one chunk. */
    public static final int MAXIMUM_BYTES = 8_192;

    /** Checks. */
    public LogChunk {
      if (bytes.length() > MAXIMUM_BYTES) {
        throw new IllegalArgumentException("too long: " + bytes);
      }
    }
  }

  /**
   * Scheduler to resource manager: give nodes (A2). Answered with {@link Placements}, or with
   * {@link Failed} code {@code resources.follower} by a manager that does not lead.
   *
   * @param requests at most {@link #MAXIMUM_REQUESTS}
   */
  record Place(List<PlacementPolicy.Request> requests) implements Message {
    /** Most requests in one message. */
    public static final int MAXIMUM_REQUESTS = 64;

    /** Copies and checks. */
    public Place {
      requests = List.copyOf(requests);
      if (requests.size() > MAXIMUM_REQUESTS) {
        throw new IllegalArgumentException("at most " + MAXIMUM_REQUESTS + " requests");
      }
    }
  }

  /** Answer to {@link Place}: one for each request, in the same order. */
  record Placements(List<Placement> placements) implements Message {
    /** Copies. */
    public Placements {
      placements = List.copyOf(placements);
    }
  }

  /**
   * Scheduler to resource manager: the node has said that these are over ({@link
   * dev.weft.core.resources.ResourceManager#over}). Answered with {@link Done}.
   */
  record Over(NodeId node, long boot, List<AttemptId> attempts) implements Message {
    /** Copies and checks. */
    public Over {
      Objects.requireNonNull(node, "node");
      attempts = List.copyOf(attempts);
    }
  }

  /**
   * Scheduler to resource manager: these placements are not wanted any more ({@link
   * dev.weft.core.resources.ResourceManager#withdraw}). Answered with {@link Done}.
   */
  record Withdraw(List<AttemptId> attempts) implements Message {
    /** Copies. */
    public Withdraw {
      attempts = List.copyOf(attempts);
    }
  }

  /**
   * Scheduler to a resource manager that is not the leader: the status report request (A6). The
   * leader has not answered in time. Answered with {@link Leading}.
   *
   * @param leader who did not answer
   */
  record Suspect(NodeId leader) implements Message {
    /** Checks. */
    public Suspect {
      Objects.requireNonNull(leader, "leader");
    }
  }

  /**
   * Answer to {@link Suspect}.
   *
   * @param leader who leads now; empty while they elect
   * @param authority the group and the highest term known
   */
  record Leading(Optional<NodeId> leader, Authority authority) implements Message {
    /** Checks. */
    public Leading {
      Objects.requireNonNull(leader, "leader");
      Objects.requireNonNull(authority, "authority");
    }
  }

  /** Answer to a request that needs none but arrival. */
  record Done() implements Message {}

  /** Answer to a request that failed. */
  record Failed(Fault fault) implements Message {
    /** Checks. */
    public Failed {
      Objects.requireNonNull(fault, "fault");
    }
  }
}
