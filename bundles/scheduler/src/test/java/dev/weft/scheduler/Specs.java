package dev.weft.scheduler;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.api.job.RetryRules;
import dev.weft.core.message.Message.StatusRules;
import dev.weft.scheduler.flow.BufferRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Jobs and settings for tests. */
record Specs(
    long cpuMilli,
    RetryRules retry,
    int priority,
    Merge merge,
    OptionalInt parallel,
    boolean gang) {
  static final StatusRules RULES = new StatusRules(Duration.ofSeconds(2), 4, Duration.ofSeconds(3));

  static final SchedulerSettings SETTINGS = settings(256);

  static SchedulerSettings settings(int slots) {
    return settings(slots, Duration.ofSeconds(15), RULES, 100);
  }

  /** T1 is 1 s, T2 is 5 s. */
  static SchedulerSettings settings(
      int slots, Duration statusTimeout, StatusRules rules, int jobsKept) {
    return new SchedulerSettings(
        fixed(slots), Duration.ofSeconds(1), Duration.ofSeconds(5), statusTimeout, rules, jobsKept);
  }

  /** A buffer pool that keeps its size. */
  static BufferRules fixed(int slots) {
    BufferRules usual = BufferRules.DEFAULT;
    return new BufferRules(
        slots,
        slots,
        slots,
        1,
        usual.window(),
        usual.baseline(),
        usual.grow(),
        usual.shrink(),
        Duration.ofDays(1),
        usual.withdraw());
  }

  static Specs of(long cpuMilli) {
    return new Specs(
        cpuMilli, retries(0, 0), 50, new Merge.Concatenate(), OptionalInt.empty(), false);
  }

  /** So many tries of each kind, after 1 s, 2 s, 4 s and so on, up to 8 s. */
  static RetryRules retries(int sameNode, int otherNode) {
    return new RetryRules(sameNode, otherNode, Duration.ofSeconds(1), Duration.ofSeconds(8));
  }

  Specs retries(int elsewhere) {
    return retry(retries(0, elsewhere));
  }

  Specs retry(RetryRules rules) {
    return new Specs(cpuMilli, rules, priority, merge, parallel, gang);
  }

  Specs priority(int level) {
    return new Specs(cpuMilli, retry, level, merge, parallel, gang);
  }

  Specs merged() {
    return new Specs(cpuMilli, retry, priority, new Merge.Run(command("sort")), parallel, gang);
  }

  Specs parallel(int most) {
    return new Specs(cpuMilli, retry, priority, merge, OptionalInt.of(most), gang);
  }

  Specs asGang() {
    return new Specs(cpuMilli, retry, priority, merge, parallel, true);
  }

  static Command command(String program) {
    return new Command(List.of(program), new TreeMap<>(), Optional.empty());
  }

  JobSpec spec() {
    return needing(List.of());
  }

  JobSpec needing(List<JobId> needs) {
    return new JobSpec(
        "test",
        command("true"),
        List.of(),
        new Input.Count(1),
        Demand.of(Resources.ree(Amount.of(cpuMilli, 0, 0))),
        Duration.ofMinutes(1),
        retry,
        merge,
        Optional.empty(),
        priority,
        parallel,
        gang,
        needs);
  }
}
