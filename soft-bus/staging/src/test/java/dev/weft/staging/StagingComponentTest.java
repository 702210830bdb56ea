package dev.weft.staging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.NodeId;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.staging.StagingArea;
import dev.weft.core.staging.StagingClient;
import java.lang.reflect.InvocationHandler;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class StagingComponentTest {
  @TempDir Path folder;
  private final List<Object> services = new ArrayList<>();

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(
        java.lang.reflect.Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private StagingComponent component(Role... roles) throws Exception {
    BundleContext context =
        fake(
            BundleContext.class,
            (self, method, arguments) -> {
              if (method.getName().equals("getProperty")) {
                return folder.toString();
              }
              services.add(arguments[1]);
              return fake(
                  ServiceRegistration.class,
                  (registration, unregister, none) -> {
                    services.remove(arguments[1]);
                    return null;
                  });
            });
    LocalNode node =
        new LocalNode(
            new NodeId("a".repeat(NodeId.LENGTH)),
            1,
            "host",
            Set.of(roles),
            List.of(InetAddress.getLoopbackAddress()));
    return new StagingComponent(context, settings(), node);
  }

  private static StagingSettings settings() {
    return fake(StagingSettings.class, (self, method, none) -> method.getDefaultValue());
  }

  @Test
  void anAgentHasNoStagingArea() throws Exception {
    StagingComponent component = component(Role.AGENT);

    assertEquals(1, services.size());
    assertTrue(services.get(0) instanceof StagingClient);
    component.stop();
    assertEquals(List.of(), services);
  }

  @Test
  void aManagerHasBothAndKeepsThemWhenSettingsChange() throws Exception {
    StagingComponent component = component(Role.MANAGER);
    StagingArea area = (StagingArea) services.get(1);
    int port = area.port();

    component.change(settings());

    assertEquals(port, area.port());
    assertEquals(2, services.size());
    component.stop();
  }
}
