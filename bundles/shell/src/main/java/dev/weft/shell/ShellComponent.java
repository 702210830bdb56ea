package dev.weft.shell;

import dev.weft.shell.console.GogoCommands;
import dev.weft.shell.console.GogoConsole;
import dev.weft.shell.server.SocketServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.threadio.ThreadIO;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the socket for clients and registers Weft's commands with Gogo. */
@Component(
    immediate = true,
    service = {})
public final class ShellComponent {
  private static final Logger LOG = LoggerFactory.getLogger(ShellComponent.class);

  private final List<ServiceRegistration<Function>> commands = new ArrayList<>();
  private final SocketServer server;

  /**
   * Made by the service component runtime.
   *
   * @throws IOException if the socket cannot be made or would not be safe
   */
  @Activate
  public ShellComponent(
      BundleContext context,
      @Reference ShellServices services,
      @Reference CommandProcessor processor,
      @Reference ThreadIO threadIo)
      throws IOException {
    Path data = folder(context, "weft.data");
    Path run = folder(context, "weft.run");
    GogoConsole console = GogoConsole.create(processor, threadIo, data.resolve("shell"));
    server = SocketServer.start(run, data, services, console, Clock.systemUTC());
    GogoCommands.all(services)
        .forEach((name, function) -> commands.add(register(context, name, function)));
    LOG.info("clients are served on {}", run);
  }

  private static Path folder(BundleContext context, String property) throws IOException {
    String value = context.getProperty(property);
    if (value == null || value.isEmpty()) {
      throw new IOException(
          "the framework property " + property + " is not set: start Weft with bin/weft");
    }
    return Path.of(value).toAbsolutePath();
  }

  private static ServiceRegistration<Function> register(
      BundleContext context, String name, Function function) {
    Map<String, Object> properties =
        Map.of(
            CommandProcessor.COMMAND_SCOPE,
            GogoCommands.SCOPE,
            CommandProcessor.COMMAND_FUNCTION,
            name);
    return context.registerService(
        Function.class, function, FrameworkUtil.asDictionary(properties));
  }

  /** Ends all sessions; called by the service component runtime. */
  @Deactivate
  void deactivate() {
    commands.forEach(ServiceRegistration::unregister);
    server.close();
  }
}
