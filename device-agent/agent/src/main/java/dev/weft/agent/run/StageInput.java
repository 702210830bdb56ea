package dev.weft.agent.run;

import dev.weft.api.Fault;
import dev.weft.api.job.Shard;
import dev.weft.core.message.Message.StagedFile;
import dev.weft.core.staging.StagingException;
import java.nio.file.Path;
import java.util.Objects;

/** Brings the shard into the working folder, if it has bytes. */
final class StageInput implements StartHook {
  private final Staging staging;

  StageInput(Staging staging) {
    this.staging = Objects.requireNonNull(staging, "staging");
  }

  @Override
  public void prepare(Preparation preparation) throws StartFailure {
    RunRequest request = preparation.request();
    if (!(request.shard() instanceof Shard.Content shard)) {
      return;
    }
    if (request.part().files().stream().map(StagedFile::name).anyMatch(shard.name()::equals)) {
      throw new StartFailure(
          new Fault(
              "file.name",
              Fault.Category.USER,
              "the input and a file of the job are both named '" + shard.name() + "'; rename one",
              false));
    }
    Path target = FileNames.in(preparation.folder().work(), shard.name());
    try {
      staging.fetch(request, shard.content(), target);
    } catch (StagingException e) {
      throw new StartFailure(e.fault(), e);
    }
    preparation.input(target);
  }
}
