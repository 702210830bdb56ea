package dev.weft.scheduler.jobfile;

import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import dev.weft.scheduler.JobReader.Step;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code steps}: jobs that may need each other, but not in a circle. */
final class StepsSection {
  /** Most steps of one job file. */
  static final int MAXIMUM_STEPS = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,39}");

  private final Paths paths;
  private final Jobs jobs;
  private final Problems problems;
  private final Map<String, Value> values = new LinkedHashMap<>();
  private final Map<String, JobId> ids = new LinkedHashMap<>();
  private final Map<JobId, Needs> needs = new HashMap<>();
  private final Map<JobId, JobSpec> specs = new HashMap<>();

  StepsSection(Paths paths, Jobs jobs, Problems problems) {
    this.paths = paths;
    this.jobs = jobs;
    this.problems = problems;
  }

  /**
   * Reads them.
   *
   * @param file name of the job file as a whole
   * @return each after those that it needs, and last the last in the file that no other needs; of
   *     no use if there is any problem
   */
  List<Step> read(Value value, String file) {
    values.putAll(value.entries("a map of steps by their names"));
    if (values.size() > MAXIMUM_STEPS) {
      value.problem("has " + values.size() + " steps; at most " + MAXIMUM_STEPS);
      return List.of();
    }
    if (values.isEmpty() && value.isMap()) {
      value.problem("is empty; name at least one step");
    }
    for (Map.Entry<String, Value> step : values.entrySet()) {
      if (!NAME.matcher(step.getKey()).matches()) {
        step.getValue()
            .problemAtKey(
                "a step's name has 1 to 40 letters, digits, hyphens and _, a letter first");
      }
      ids.put(step.getKey(), jobs.draw()); // all of them first: a step may need a later one
    }
    values.forEach((name, step) -> read(name, step, file));
    checkOutputs();
    List<String> order = order();
    return problems.isEmpty()
        ? order.stream().map(ids::get).map(id -> new Step(id, specs.get(id))).toList()
        : List.of();
  }

  private void read(String name, Value value, String file) {
    Needs needed = new Needs(ids, jobs);
    needs.put(ids.get(name), needed);
    String whole = file + "/" + name;
    int cut = Math.max(0, whole.length() - JobSpec.MAXIMUM_NAME);
    value
        .section("a map with the keys of a job", JobSection.KEYS)
        .flatMap(keys -> new JobSection(keys, paths, needed).read(whole.substring(cut), problems))
        .ifPresent(spec -> specs.put(ids.get(name), spec));
  }

  /** Two steps that write the same file would leave the result of the later one. */
  private void checkOutputs() {
    Map<Path, String> outputs = new HashMap<>();
    ids.forEach(
        (name, id) -> {
          Optional<Path> output = Optional.ofNullable(specs.get(id)).flatMap(JobSpec::output);
          String earlier = output.map(path -> outputs.putIfAbsent(path, name)).orElse(null);
          if (earlier != null) {
            values.get(name).problemAtKey("has the same output as step " + earlier);
          }
        });
  }

  /** The steps, each after those that it needs; a circle is a problem. */
  private List<String> order() {
    Set<String> done = new LinkedHashSet<>();
    List<String> left = new ArrayList<>(ids.keySet());
    while (!left.isEmpty()) {
      Optional<String> next =
          left.stream().filter(name -> done.containsAll(neededSteps(name))).findFirst();
      if (next.isEmpty()) {
        reportCircle(left);
        return List.of();
      }
      done.add(next.get());
      left.remove(next.get());
    }
    return lastToTheEnd(new ArrayList<>(done));
  }

  /** The last step in the file that no other needs has the result of all. */
  private List<String> lastToTheEnd(List<String> order) {
    Set<String> needed = new HashSet<>();
    order.forEach(name -> needed.addAll(neededSteps(name)));
    String last =
        ids.keySet().stream()
            .filter(name -> !needed.contains(name))
            .reduce("", (earlier, later) -> later);
    if (order.remove(last)) {
      order.add(last);
    }
    return order;
  }

  /** Names of the steps that a step needs. */
  private List<String> neededSteps(String name) {
    List<JobId> needed = needs.get(ids.get(name)).ids();
    return ids.keySet().stream().filter(other -> needed.contains(ids.get(other))).toList();
  }

  /** Each of these steps needs another one of them, so whoever follows that comes round. */
  private void reportCircle(List<String> left) {
    Deque<String> way = new ArrayDeque<>();
    String at = left.get(0);
    while (!way.contains(at)) {
      way.addLast(at);
      at = neededSteps(at).stream().filter(left::contains).findFirst().orElseThrow();
    }
    while (!way.peekFirst().equals(at)) {
      way.removeFirst();
    }
    String circle =
        way.size() == 1
            ? "needs itself"
            : "needs itself in the end: "
                + way.stream().collect(Collectors.joining(" needs "))
                + " needs "
                + at;
    values.get(at).problemAtKey(circle);
  }
}
