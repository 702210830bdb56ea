package dev.weft.agent.run;

import dev.weft.api.Fault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Checks names that came over the bus before they become files. */
final class FileNames {
  private static final int MAXIMUM_BYTES = 255;

  private FileNames() {}

  /** The file of that name in the folder and not outside it. */
  static Path in(Path folder, String name) throws StartFailure {
    boolean plain =
        !name.isEmpty()
            && !name.contains("/")
            && name.indexOf('\0') < 0
            && !name.equals(".")
            && !name.equals("..")
            && name.getBytes(StandardCharsets.UTF_8).length <= MAXIMUM_BYTES;
    if (!plain) {
      throw new StartFailure(
          new Fault(
              "file.name",
              Fault.Category.USER,
              "not a plain file name of at most 255 bytes: '" + name + "'; rename the file",
              false));
    }
    return folder.resolve(name);
  }
}
