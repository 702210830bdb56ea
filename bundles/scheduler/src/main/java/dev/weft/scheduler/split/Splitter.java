package dev.weft.scheduler.split;

import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Shard;
import dev.weft.api.policy.PoolView;
import dev.weft.api.policy.SplitPolicy;
import dev.weft.api.policy.SplitPolicy.Piece;
import dev.weft.core.loop.PluginGuard;
import dev.weft.core.message.Message;
import dev.weft.core.staging.StagingArea;
import dev.weft.scheduler.JobSplitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Cuts a job. Where the job file leaves room, the active {@link SplitPolicy} chooses the pieces,
 * called through a guard with a deadline; its answer is checked before it is used. Thread-safe.
 */
public final class Splitter implements JobSplitter {
  /** How long a policy may take. */
  public static final Duration POLICY_DEADLINE = Duration.ofSeconds(2);

  private final Supplier<Optional<SplitPolicies.Active>> policies;
  private final Supplier<PoolView> pool;
  private final PluginGuard guard;
  private final FileSplitter files;
  private final int maximumTasks;

  /**
   * A splitter.
   *
   * @param policies the active policy, asked once per job
   * @param pool the pool now
   * @param guard way into the policy; with {@link #POLICY_DEADLINE}
   * @param staging where the pieces are offered
   */
  public Splitter(
      Supplier<Optional<SplitPolicies.Active>> policies,
      Supplier<PoolView> pool,
      PluginGuard guard,
      StagingArea staging) {
    this(policies, pool, guard, staging, JobSpec.MAXIMUM_TASKS);
  }

  Splitter(
      Supplier<Optional<SplitPolicies.Active>> policies,
      Supplier<PoolView> pool,
      PluginGuard guard,
      StagingArea staging,
      int maximumTasks) {
    this.policies = Objects.requireNonNull(policies, "policies");
    this.pool = Objects.requireNonNull(pool, "pool");
    this.guard = Objects.requireNonNull(guard, "guard");
    this.maximumTasks = maximumTasks;
    this.files = new FileSplitter(staging, maximumTasks);
  }

  @Override
  public Result split(JobId job, JobSpec spec) {
    try {
      Asked asked = new Asked(job, spec);
      List<Shard> shards = shards(job, spec, asked);
      List<Message.StagedFile> extra = files.extraFiles(job, spec.files());
      return new Result.Cut(shards, extra, asked.policy);
    } catch (SplitException e) {
      return new Result.NotCut(e.fault());
    }
  }

  private List<Shard> shards(JobId job, JobSpec spec, Asked asked) throws SplitException {
    Input input = spec.input();
    if (input instanceof Input.Lines lines) {
      return files.text(
          job,
          lines.file(),
          lines.header(),
          bytes ->
              lines.linesPerShard().isPresent()
                  ? CutPoints.everyLines(lines.linesPerShard().getAsLong())
                  : CutPoints.atPieces(asked.pieces(bytes, lines.shards())));
    }
    if (input instanceof Input.Bytes bytes) {
      return files.text(
          job, bytes.file(), 0, length -> CutPoints.everyBytes(bytes.bytesPerShard()));
    }
    if (input instanceof Input.Files folder) {
      return files.files(job, folder, spec.files());
    }
    if (input instanceof Input.Range range) {
      List<Shard> shards = new ArrayList<>();
      for (Piece piece : asked.pieces(range.size(), range.shards())) {
        shards.add(
            new Shard.Numbers(
                range.from() + piece.from() * range.step(),
                range.from() + (piece.to() - 1) * range.step(),
                range.step()));
      }
      return shards;
    }
    return Collections.nCopies(((Input.Count) input).count(), new Shard.Index());
  }

  /** The question to the policy, for one job. */
  private final class Asked {
    private final JobId job;
    private final JobSpec spec;
    private String policy = "";

    Asked(JobId job, JobSpec spec) {
      this.job = job;
      this.spec = spec;
    }

    List<Piece> pieces(long units, OptionalInt shards) throws SplitException {
      SplitPolicies.Active active =
          policies
              .get()
              .orElseThrow(
                  () ->
                      new SplitException(
                          new Fault(
                              "split.no-policy",
                              Fault.Category.RESOURCES,
                              "no split policy is installed; start a bundle with one and submit"
                                  + " the job again",
                              true)));
      policy = active.name();
      SplitPolicy.Request request =
          new SplitPolicy.Request(units, shards, spec.demand(), maximumTasks);
      PoolView view = pool.get();
      // From the job's own id, so that the same job is cut the same way again.
      long seed = Long.parseUnsignedLong(job.hex().substring(0, 16), 16);
      PluginGuard.Result<List<Piece>> answer =
          guard
              .call(policy, () -> List.copyOf(active.policy().split(request, view, seed)))
              .toCompletableFuture()
              .join();
      if (answer instanceof PluginGuard.Result.Failure<List<Piece>> failure) {
        throw wrong(failure.reason(), true);
      }
      List<Piece> pieces = ((PluginGuard.Result.Value<List<Piece>>) answer).value();
      check(pieces, units);
      return pieces;
    }

    private void check(List<Piece> pieces, long units) throws SplitException {
      if (pieces.size() > maximumTasks) {
        throw wrong(policy + " made " + pieces.size() + " pieces, at most " + maximumTasks, false);
      }
      long covered = 0;
      for (Piece piece : pieces) {
        if (piece.from() != covered) {
          throw wrong(policy + " left a gap or an overlap at unit " + covered, false);
        }
        covered = piece.to();
      }
      if (covered != units) {
        throw wrong(policy + " covered " + covered + " of " + units + " units", false);
      }
    }

    private SplitException wrong(String what, boolean retry) {
      return new SplitException(
          new Fault(
              "split.policy",
              Fault.Category.EXTERNAL,
              "the split policy failed: " + what + "; use another one",
              retry));
    }
  }
}
