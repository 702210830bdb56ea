package dev.weft.scheduler.jobfile;

import dev.weft.api.JobId;
import dev.weft.api.job.JobSpec;
import dev.weft.core.job.JobSource;
import dev.weft.scheduler.JobReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads a job file as {@code docs/job-file.md} describes it: one job, or steps that need each
 * other. Every problem is reported, not only the first. Depends on nothing but the text and the
 * answers of {@link FileChecks} and {@link Jobs}.
 */
public final class JobFileReader implements JobReader {
  private static final String NAME = "name";
  private static final String STEPS = "steps";

  private final FileChecks checks;
  private final Jobs jobs;

  /**
   * A reader.
   *
   * @param checks asked about files
   * @param jobs asked about jobs
   */
  public JobFileReader(FileChecks checks, Jobs jobs) {
    this.checks = Objects.requireNonNull(checks, "checks");
    this.jobs = Objects.requireNonNull(jobs, "jobs");
  }

  @Override
  public Read read(JobSource source) {
    Problems problems = new Problems();
    Optional<Node> node = YamlText.read(source.text(), problems);
    List<String> known = new ArrayList<>(JobSection.KEYS);
    known.add(STEPS);
    Optional<Section> root =
        node.flatMap(
            found -> Value.root(found, problems).section("a map of keys and values", known));
    List<Step> steps = root.map(section -> steps(section, source, problems)).orElse(List.of());
    return problems.isEmpty() ? new Read.Valid(steps) : new Read.Invalid(problems.list());
  }

  private List<Step> steps(Section root, JobSource source, Problems problems) {
    Paths paths = new Paths(source.folder(), checks);
    Optional<Value> several = root.get(STEPS);
    if (several.isEmpty()) {
      JobId id = jobs.draw();
      return new JobSection(root, paths, new Needs(Map.of(), jobs))
          .read(defaultName(source), problems)
          .map(spec -> List.of(new Step(id, spec)))
          .orElse(List.of());
    }
    root.values()
        .forEach(
            (key, value) -> {
              if (!key.equals(NAME) && !key.equals(STEPS)) {
                value.problemAtKey("belongs to a step; beside 'steps' there is only 'name'");
              }
            });
    String name = root.get(NAME).flatMap(JobSection::name).orElse(defaultName(source));
    return new StepsSection(paths, jobs, problems).read(several.get(), name);
  }

  /** The name of the job file without its ending. */
  private static String defaultName(JobSource source) {
    String file = source.name().substring(source.name().lastIndexOf('/') + 1);
    String plain = file.replaceFirst("\\.ya?ml$", "").replaceAll("\\p{Cntrl}", "?");
    String name = plain.isEmpty() || plain.equals("-") ? "job" : plain;
    return name.length() > JobSpec.MAXIMUM_NAME ? name.substring(0, JobSpec.MAXIMUM_NAME) : name;
  }
}
