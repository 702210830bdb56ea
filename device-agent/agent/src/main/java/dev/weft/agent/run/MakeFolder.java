package dev.weft.agent.run;

import dev.weft.api.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Makes the attempt's own folder. */
final class MakeFolder implements StartHook {
  // The folder of a job can vanish between two calls, when its last attempt is cleared away.
  private static final int TRIES = 5;

  @Override
  public void prepare(Preparation preparation) throws StartFailure {
    AttemptFolder folder = preparation.folder();
    try {
      make(folder.root());
      Files.createDirectory(folder.work());
    } catch (IOException e) {
      throw new StartFailure(
          new Fault(
              "folder.failed",
              Fault.Category.RESOURCES,
              "the node cannot make the attempt's folder: " + e,
              true),
          e);
    }
  }

  private static void make(Path root) throws IOException {
    for (int i = 1; ; i++) {
      try {
        Files.createDirectory(root);
        return;
      } catch (NoSuchFileException e) {
        if (i == TRIES) {
          throw e;
        }
        Files.createDirectories(root.getParent());
      }
    }
  }
}
