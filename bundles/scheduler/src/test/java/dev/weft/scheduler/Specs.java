package dev.weft.scheduler;

import dev.weft.api.Amount;
import dev.weft.api.Demand;
import dev.weft.api.Resources;
import dev.weft.api.job.Command;
import dev.weft.api.job.Input;
import dev.weft.api.job.JobSpec;
import dev.weft.api.job.Merge;
import dev.weft.core.message.Message.StatusRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Jobs and settings for tests. */
record Specs(long cpuMilli, int retries, int priority, Merge merge) {
  static final StatusRules RULES = new StatusRules(Duration.ofSeconds(2), 4, Duration.ofSeconds(3));

  static final SchedulerSettings SETTINGS = settings(256);

  static SchedulerSettings settings(int slots) {
    return new SchedulerSettings(slots, Duration.ofSeconds(1), Duration.ofSeconds(15), RULES, 100);
  }

  static Specs of(long cpuMilli) {
    return new Specs(cpuMilli, 0, 50, new Merge.Concatenate());
  }

  Specs retries(int most) {
    return new Specs(cpuMilli, most, priority, merge);
  }

  Specs priority(int level) {
    return new Specs(cpuMilli, retries, level, merge);
  }

  Specs merged() {
    return new Specs(cpuMilli, retries, priority, new Merge.Run(command("sort")));
  }

  static Command command(String program) {
    return new Command(List.of(program), new TreeMap<>(), Optional.empty());
  }

  JobSpec spec() {
    return new JobSpec(
        "test",
        command("true"),
        List.of(),
        new Input.Count(1),
        Demand.of(Resources.ree(Amount.of(cpuMilli, 0, 0))),
        Duration.ofMinutes(1),
        retries,
        merge,
        Optional.empty(),
        priority);
  }
}
