package dev.weft.agent.run;

import dev.weft.api.Fault;
import dev.weft.core.message.Message.StagedFile;
import dev.weft.core.staging.StagingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Brings the extra files of the job into the working folder. */
final class StageFiles implements StartHook {
  private static final Set<PosixFilePermission> EXECUTABLE =
      PosixFilePermissions.fromString("r-xr-xr-x");

  private final Staging staging;

  StageFiles(Staging staging) {
    this.staging = Objects.requireNonNull(staging, "staging");
  }

  @Override
  public void prepare(Preparation preparation) throws StartFailure {
    for (StagedFile file : preparation.request().part().files()) {
      Path target = FileNames.in(preparation.folder().work(), file.name());
      try {
        staging.fetch(preparation.request(), file.content(), target);
        if (file.executable()) {
          Files.setPosixFilePermissions(target, EXECUTABLE);
        }
      } catch (StagingException e) {
        throw new StartFailure(e.fault(), e);
      } catch (IOException e) {
        throw new StartFailure(
            new Fault(
                "folder.failed",
                Fault.Category.EXTERNAL,
                "the node cannot make '" + file.name() + "' executable: " + e,
                true),
            e);
      }
    }
  }
}
