package dev.weft.mdns;

import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.jmdns.ServiceInfo;

/**
 * An announcement as a DNS-SD service: SRV has the port, and TXT has {@code id, salt, roles,
 * protocol, host}. Nothing else is told. Instance and host are named by the host label and the
 * number of the link, because two links of a node may hear each other and a name must be unique.
 */
final class ServiceRecord {
  /** The service type. */
  static final String TYPE = "_weft._udp.local.";

  private static final int MAXIMUM_LABEL = 63;

  private ServiceRecord() {}

  /** Name of the instance and of its host. */
  static String instanceName(Announcement own, int link) {
    String suffix = "-" + link;
    String label = own.hostLabel();
    return label.substring(0, Math.min(label.length(), MAXIMUM_LABEL - suffix.length())) + suffix;
  }

  static ServiceInfo write(Announcement own, int link) {
    List<String> roles = new ArrayList<>();
    for (Role role : Role.values()) {
      if (own.roles().contains(role)) {
        roles.add(role.name().toLowerCase(Locale.ROOT));
      }
    }
    return ServiceInfo.create(
        TYPE,
        instanceName(own, link),
        own.port(),
        0,
        0,
        Map.of(
            "id", own.shortId(),
            "salt", own.salt(),
            "roles", String.join(" ", roles),
            "protocol", String.valueOf(own.protocol()),
            "host", own.hostLabel()));
  }

  /**
   * Reads what another node announces.
   *
   * @throws IllegalArgumentException if something is missing or wrong, with what
   */
  static Announcement read(ServiceInfo service) {
    Set<Role> roles = new HashSet<>();
    for (String role : required(service, "roles").split(" ", -1)) {
      roles.add(Role.valueOf(role.toUpperCase(Locale.ROOT)));
    }
    return new Announcement(
        required(service, "salt"),
        required(service, "id"),
        roles,
        Integer.parseInt(required(service, "protocol")),
        service.getPort(),
        required(service, "host"));
  }

  private static String required(ServiceInfo service, String name) {
    String value = service.getPropertyString(name);
    if (value == null) {
      throw new IllegalArgumentException("no '" + name + "' in TXT");
    }
    return value;
  }
}
