package dev.weft.agent.probe;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the files of the control groups that the agent is in: of version 2 below {@code
 * /sys/fs/cgroup}, of version 1 below a folder there for each controller; see cgroups(7). A limit
 * of any group along the path counts for the agent.
 */
final class ControlGroups {
  private static final String MOUNT = "sys/fs/cgroup";
  private static final int FIELDS = 3;
  private static final int MAXIMUM_DEPTH = 64;

  private final SystemFiles files;

  ControlGroups(SystemFiles files) {
    this.files = files;
  }

  /** Folders of version 2, the agent's own group first; none if it is in no such group. */
  List<String> versionTwo() {
    return groups().stream()
        .filter(fields -> fields[0].equals("0") && fields[1].isEmpty())
        .flatMap(fields -> along(MOUNT, fields[2]).stream())
        .toList();
  }

  /** Folders of a controller of version 1, the agent's own group first. */
  List<String> versionOne(String controller) {
    return groups().stream()
        .filter(fields -> List.of(fields[1].split(",", -1)).contains(controller))
        .flatMap(fields -> along(MOUNT + "/" + controller, fields[2]).stream())
        .toList();
  }

  private List<String[]> groups() {
    return files
        .text("proc/self/cgroup")
        .orElse("")
        .lines()
        .map(line -> line.split(":", FIELDS))
        .filter(fields -> fields.length == FIELDS)
        .toList();
  }

  private static List<String> along(String mount, String group) {
    List<String> found = new ArrayList<>();
    // A path with .. names a group outside of the container: only the mount's own root is visible.
    String path = group.contains("..") ? "" : group;
    while (found.size() < MAXIMUM_DEPTH) {
      String folder = mount + path;
      if (!path.endsWith("/")) {
        found.add(folder);
      }
      int slash = path.lastIndexOf('/');
      if (slash < 0) {
        break;
      }
      path = path.substring(0, slash);
    }
    return found;
  }
}
