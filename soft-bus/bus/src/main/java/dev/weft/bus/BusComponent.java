package dev.weft.bus;

import dev.weft.api.bus.Discovery;
import dev.weft.api.bus.Role;
import dev.weft.api.bus.Transport;
import dev.weft.core.bus.Bus;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.PeerListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the bus into the framework: identity, transports, discoveries, handlers, listeners. */
@Component(
    configurationPid = "weft.bus",
    immediate = true,
    service = {})
@Designate(ocd = BusConfiguration.class)
public final class BusComponent {
  private static final Logger LOG = LoggerFactory.getLogger(BusComponent.class);

  private final BusLoop loop;
  private final Links links;
  private final List<ServiceRegistration<?>> registrations;

  /**
   * Made by the framework.
   *
   * @throws IOException if key or boot number cannot be read or stored
   * @throws IllegalArgumentException if a setting is wrong
   */
  @Activate
  public BusComponent(BundleContext context, BusConfiguration configuration) throws IOException {
    List<InetAddress> addresses =
        LocalAddresses.resolve(configuration.addresses(), configuration.insecure());
    List<InetSocketAddress> managers = managers(configuration.manager());
    NodeFiles files = new NodeFiles(Path.of(context.getProperty("weft.data"), "bus"));
    LocalNode self =
        new LocalNode(
            files.id(),
            files.nextBoot(),
            configuration.name().isBlank() ? hostName() : configuration.name().strip(),
            roles(context.getProperty("weft.roles")),
            addresses);
    loop = BusLoop.threaded(self, Duration.ofMillis(configuration.lease_ms()), this::status);
    links =
        new Links(
            self,
            configuration.port(),
            configuration.discovery(),
            loop,
            Links.RETRY,
            Links.OPENING);
    managers.forEach(links::greet);
    loop.start();
    Map<String, Object> none = Map.of();
    registrations =
        List.of(
            context.registerService(LocalNode.class, self, FrameworkUtil.asDictionary(none)),
            context.registerService(Bus.class, loop, FrameworkUtil.asDictionary(none)));
  }

  /** Nothing is torn down under running jobs: new settings hold from the next start on. */
  @Modified
  void modified() {
    LOG.info("weft.bus.cfg has changed; the new settings hold from the next start on");
  }

  @Deactivate
  void stop() {
    registrations.forEach(ServiceRegistration::unregister);
    loop.stop();
    links.close();
  }

  private BusStatus status() {
    return links.status(loop.sightings());
  }

  private static Set<Role> roles(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(name -> Role.valueOf(name.strip().toUpperCase(Locale.ROOT)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unnamed";
    }
  }

  private static List<InetSocketAddress> managers(String setting) {
    return Arrays.stream(setting.split(",", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .map(BusComponent::manager)
        .toList();
  }

  private static InetSocketAddress manager(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("[\\[\\]]", "");
    String port = text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
      throw new IllegalArgumentException(
          "manager = " + text + ": expected host:port, such as 192.0.2.7:7250");
    }
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addTransport(Transport transport, Map<String, Object> properties) {
    links.add(transport, String.valueOf(properties.get(Transport.SCHEME)));
  }

  void removeTransport(Transport transport) {
    links.remove(transport);
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addDiscovery(Discovery discovery) {
    links.add(discovery);
  }

  void removeDiscovery(Discovery discovery) {
    links.remove(discovery);
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addHandler(MessageHandler handler) {
    loop.addHandler(handler);
  }

  void removeHandler(MessageHandler handler) {
    loop.removeHandler(handler);
  }

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  void addListener(PeerListener listener) {
    loop.addListener(listener);
  }

  void removeListener(PeerListener listener) {
    loop.removeListener(listener);
  }
}
