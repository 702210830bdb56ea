package dev.weft.process;

import dev.weft.api.NodeId;
import dev.weft.api.execution.Executor;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Wires the executor for processes into the framework. */
@Component(service = Executor.class, property = Executor.KIND + "=process")
public final class ProcessExecutorComponent implements Executor {
  private final ProcessExecutor executor;

  /** Made by the framework. */
  @Activate
  public ProcessExecutorComponent() {
    executor = new ProcessExecutor();
  }

  @Override
  public Execution start(Launch launch, Consumer<Ending> ended) {
    return executor.start(launch, ended);
  }

  @Override
  public int endRemains(NodeId node) {
    return executor.endRemains(node);
  }

  @Deactivate
  void deactivate() {
    executor.close();
  }
}
