package dev.weft.agent.run;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the start hooks gather for one attempt. Used by one thread at a time. */
final class Preparation {
  private final RunRequest request;
  private final AttemptFolder folder;
  private Optional<Path> input = Optional.empty();
  private Path workingFolder;
  private List<String> arguments;
  private SortedMap<String, String> environment = new TreeMap<>();

  Preparation(RunRequest request, AttemptFolder folder) {
    this.request = request;
    this.folder = folder;
    this.workingFolder = folder.work();
    this.arguments = request.part().command().arguments();
  }

  RunRequest request() {
    return request;
  }

  AttemptFolder folder() {
    return folder;
  }

  Optional<Path> input() {
    return input;
  }

  void input(Path file) {
    input = Optional.of(file);
  }

  void workingFolder(Path path) {
    workingFolder = path;
  }

  void arguments(List<String> ready) {
    arguments = ready;
  }

  void environment(SortedMap<String, String> ready) {
    environment = ready;
  }

  Executor.Launch launch(NodeId node, RunLimits limits) {
    return new Executor.Launch(
        request.attempt(),
        node,
        arguments,
        environment,
        folder.root(),
        workingFolder,
        input,
        folder.output(),
        limits.output(),
        folder.errors(),
        limits.errors(),
        request.part().timeLimit(),
        request.grace());
  }
}
