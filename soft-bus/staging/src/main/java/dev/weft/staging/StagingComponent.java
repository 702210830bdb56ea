package dev.weft.staging;

import dev.weft.api.bus.Role;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.staging.StagingArea;
import dev.weft.core.staging.StagingClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wires this bundle: every node gets a {@link StagingClient}, a manager a {@link StagingArea} as
 * well. Registered by hand, because which services there are depends on the node's roles.
 */
@Component(
    configurationPid = "weft.staging",
    service = {})
@Designate(ocd = StagingSettings.class)
public final class StagingComponent {
  private static final Logger LOG = LoggerFactory.getLogger(StagingComponent.class);
  private static final int CONNECTIONS = 256;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** A node gives up an idle connection before the manager does. */
  private static final Duration NODE_IDLE = Duration.ofSeconds(10);

  private static final Duration MANAGER_IDLE = Duration.ofSeconds(15);

  private final NodeStagingClient client;
  private final Optional<ManagerStagingArea> area;
  private final List<ServiceRegistration<?>> services = new ArrayList<>();
  private final int port;

  /** Starts; called by the framework. */
  @Activate
  public StagingComponent(
      BundleContext context, StagingSettings settings, @Reference LocalNode node)
      throws IOException {
    String data = context.getProperty("weft.data");
    if (data == null) {
      throw new IllegalStateException("the framework property weft.data is not set");
    }
    Path folder = Path.of(data).toAbsolutePath().resolve("staging");
    Disk disk = new Disk.Local();
    port = settings.port();
    area =
        node.roles().contains(Role.MANAGER)
            ? Optional.of(openArea(folder, settings, node, disk))
            : Optional.empty();
    NodeStagingClient.Setup setup =
        new NodeStagingClient.Setup(mebibytes(settings.cache_limit_mb()), TIMEOUT, NODE_IDLE);
    client = openClient(folder, setup, disk);
    services.add(
        context.registerService(StagingClient.class, client, FrameworkUtil.asDictionary(Map.of())));
    area.ifPresent(
        opened ->
            services.add(
                context.registerService(
                    StagingArea.class, opened, FrameworkUtil.asDictionary(Map.of()))));
  }

  private NodeStagingClient openClient(Path folder, NodeStagingClient.Setup setup, Disk disk)
      throws IOException {
    try {
      return new NodeStagingClient(folder, setup, disk);
    } catch (IOException e) {
      if (area.isPresent()) {
        area.get().close();
      }
      throw e;
    }
  }

  private static ManagerStagingArea openArea(
      Path folder, StagingSettings settings, LocalNode node, Disk disk) throws IOException {
    ManagerStagingArea.Setup setup =
        new ManagerStagingArea.Setup(
            settings.port(),
            CONNECTIONS,
            TIMEOUT,
            MANAGER_IDLE,
            mebibytes(settings.disk_reserve_mb()));
    ManagerStagingArea opened = new ManagerStagingArea(folder, node.addresses(), setup, disk);
    LOG.info("staging area listens on port {} of {}", opened.port(), node.addresses());
    return opened;
  }

  private static long mebibytes(int number) {
    return (long) number << 20;
  }

  /** Takes new settings without a restart, which would withdraw what is offered. */
  @Modified
  public void change(StagingSettings settings) {
    client.setCacheLimit(mebibytes(settings.cache_limit_mb()));
    area.ifPresent(opened -> opened.setDiskReserve(mebibytes(settings.disk_reserve_mb())));
    if (settings.port() != port) {
      LOG.warn(
          "weft.staging: port = {} is used from the next start on; until then it is {}",
          settings.port(),
          port);
    }
  }

  /** Stops; called by the framework. */
  @Deactivate
  public void stop() throws IOException {
    services.forEach(ServiceRegistration::unregister);
    client.close();
    if (area.isPresent()) {
      area.get().close();
    }
  }
}
