package dev.weft.scheduler.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weft.api.JobId;
import dev.weft.core.job.JobSource;
import dev.weft.scheduler.JobReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentationTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

  @Test
  void everyExampleIsRight(@TempDir Path folder) throws IOException {
    for (String name : List.of("app.log", "score.sh", "model.bin", "rows.csv")) {
      Files.createFile(folder.resolve(name));
    }
    // Maven runs tests in the folder of their module.
    String text = Files.readString(Path.of("../../docs/job-file.md"));
    List<String> examples =
        EXAMPLE.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();

    assertEquals(4, examples.size());
    for (String example : examples) {
      JobReader.Read read =
          new JobFileReader(new LocalFileChecks(), new NoJobs(folder))
              .read(new JobSource("example.yaml", example, folder, "ann"));
      assertInstanceOf(JobReader.Read.Valid.class, read, read + "\n" + example);
    }
  }

  @Test
  void everyJobFileOfTheExamplesIsRight() throws IOException {
    Path folder = Path.of("../../examples/gpu-trace").toAbsolutePath().normalize();
    for (String name : List.of("job.yaml", "pipeline.yaml")) {
      JobReader.Read read =
          new JobFileReader(new LocalFileChecks(), new NoJobs(folder))
              .read(new JobSource(name, Files.readString(folder.resolve(name)), folder, "ann"));
      assertInstanceOf(JobReader.Read.Valid.class, read, read + "\n" + name);
    }
  }

  /** None is known; ids of new ones count up. */
  private static final class NoJobs implements Jobs {
    private final Path results;
    private int drawn;

    private NoJobs(Path results) {
      this.results = results;
    }

    @Override
    public JobId draw() {
      return new JobId("%032x".formatted(++drawn));
    }

    @Override
    public List<JobId> find(String prefix) {
      return List.of();
    }

    @Override
    public Path result(JobId job) {
      return results.resolve(job.hex());
    }
  }
}
