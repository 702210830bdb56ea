package dev.weft.agent.run;

import dev.weft.api.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the folder the command starts in: the attempt's own, one inside it, or one of the node. */
final class ChooseFolder implements StartHook {
  @Override
  public void prepare(Preparation preparation) throws StartFailure {
    Optional<String> wanted = preparation.request().part().command().folder();
    if (wanted.isPresent()) {
      preparation.workingFolder(choose(preparation.folder().work(), wanted.get()));
    }
  }

  private static Path choose(Path work, String wanted) throws StartFailure {
    try {
      Path folder = work.resolve(wanted).normalize();
      if (Path.of(wanted).isAbsolute()) {
        if (!Files.isDirectory(folder)) {
          throw fault("'" + wanted + "' is not a folder on this node", null);
        }
        return folder;
      }
      if (!folder.startsWith(work)) {
        throw fault("'" + wanted + "' leads out of the attempt's folder", null);
      }
      return Files.createDirectories(folder);
    } catch (InvalidPathException | IOException e) {
      throw fault("'" + wanted + "' cannot be used: " + e, e);
    }
  }

  private static StartFailure fault(String what, Throwable cause) {
    return new StartFailure(
        new Fault(
            "command.folder",
            Fault.Category.USER,
            "working folder " + what + "; correct command.folder of the job",
            false),
        cause);
  }
}
