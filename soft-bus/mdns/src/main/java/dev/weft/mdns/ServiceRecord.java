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
 * An announcement as a DNS-SD service: the instance is named by the host label, SRV has the port,
 * and TXT has {@code id, salt, roles, protocol}. Nothing else is told.
 */
final class ServiceRecord {
  /** The service type. */
  static final String TYPE = "_weft._udp.local.";

  private static final int MAXIMUM_LABEL = 63;

  private ServiceRecord() {}

  static ServiceInfo write(Announcement own) {
    List<String> roles = new ArrayList<>();
    for (Role role : Role.values()) {
      if (own.roles().contains(role)) {
        roles.add(role.name().toLowerCase(Locale.ROOT));
      }
    }
    return ServiceInfo.create(
        TYPE,
        own.hostLabel(),
        own.port(),
        0,
        0,
        Map.of(
            "id", own.shortId(),
            "salt", own.salt(),
            "roles", String.join(" ", roles),
            "protocol", String.valueOf(own.protocol())));
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
        label(service.getName()));
  }

  private static String required(ServiceInfo service, String name) {
    String value = service.getPropertyString(name);
    if (value == null) {
      throw new IllegalArgumentException("no '" + name + "' in TXT");
    }
    return value;
  }

  // A name that was taken gets a suffix such as " (2)".
  private static String label(String name) {
    String label = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
    return label.substring(0, Math.min(MAXIMUM_LABEL, label.length()));
  }
}
