package dev.weft.coap;

import dev.weft.api.Bytes;
import dev.weft.api.bus.Announcement;
import dev.weft.api.bus.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.californium.core.WebLink;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.LinkFormat;
import org.eclipse.californium.core.coap.MediaTypeRegistry;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.MessageFormatException;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.core.server.resources.ResourceAttributes;

/**
 * What CoAP discovery says, and its wire form: resource discovery of RFC 6690 over the multicast of
 * RFC 7252, section 8, in messages that need no acknowledgement.
 *
 * <ul>
 *   <li>A question is a GET for {@code /.well-known/core?rt=weft}; further queries carry the
 *       announcement of who asks.
 *   <li>An answer is a 2.05 (Content) with the question's token and, in link format, one link to
 *       {@code /weft} with the announcement in its attributes.
 *   <li>A goodbye is a POST of that link to {@code /.well-known/core} with the lifetime ({@code
 *       lt}) 0 of RFC 9176.
 * </ul>
 *
 * Attributes and queries have the same names: {@code id, salt, roles, protocol, port, host}.
 */
sealed interface DiscoveryMessage {
  /** Largest datagram, in bytes: the smallest MTU of IPv6. */
  int MAXIMUM_SIZE = 1_280;

  /** Who is there? */
  record Question(Optional<Announcement> asker, Bytes token) implements DiscoveryMessage {}

  /** A node is there. */
  record Answer(Announcement announcement, Bytes token) implements DiscoveryMessage {}

  /** A node goes. */
  record Goodbye(Announcement announcement) implements DiscoveryMessage {}

  /** None of these, and why. */
  record Unusable(String reason) implements DiscoveryMessage {}

  /** Wire form of a question. */
  static Bytes question(Announcement own, int messageId, Bytes token) {
    Request request = new Request(CoAP.Code.GET, CoAP.Type.NON);
    request.getOptions().setUriPath(Form.PATH).addUriQuery(Form.FILTER);
    Form.attributes(own)
        .forEach((name, value) -> request.getOptions().addUriQuery(name + "=" + value));
    request.setToken(token.toArray());
    request.setMID(messageId);
    return Bytes.of(new UdpDataSerializer().getByteArray(request));
  }

  /** Wire form of an answer. */
  static Bytes answer(Announcement own, int messageId, Bytes token) {
    Response response = new Response(CoAP.ResponseCode.CONTENT);
    response.setType(CoAP.Type.NON);
    response.getOptions().setContentFormat(MediaTypeRegistry.APPLICATION_LINK_FORMAT);
    response.setPayload(LinkFormat.serialize(Form.link(own)));
    response.setToken(token.toArray());
    response.setMID(messageId);
    return Bytes.of(new UdpDataSerializer().getByteArray(response));
  }

  /** Wire form of a goodbye. */
  static Bytes goodbye(Announcement own, int messageId) {
    WebLink link = Form.link(own);
    link.getAttributes().setAttribute(LinkFormat.LIFE_TIME, "0");
    Request request = new Request(CoAP.Code.POST, CoAP.Type.NON);
    request.getOptions().setUriPath(Form.PATH);
    request.getOptions().setContentFormat(MediaTypeRegistry.APPLICATION_LINK_FORMAT);
    request.setPayload(LinkFormat.serialize(link));
    request.setToken(new byte[0]);
    request.setMID(messageId);
    return Bytes.of(new UdpDataSerializer().getByteArray(request));
  }

  /** Reads what came in; what cannot be used says why. */
  static DiscoveryMessage parse(byte[] datagram) {
    if (datagram.length > MAXIMUM_SIZE) {
      return new Unusable("malformed: larger than " + MAXIMUM_SIZE + " bytes");
    }
    try {
      Message message = new UdpDataParser().parseMessage(datagram);
      if (message.getType() != CoAP.Type.NON) {
        return new Unusable("not weft: a CoAP message of type " + message.getType());
      }
      if (message instanceof Request request) {
        return Form.parseRequest(request);
      }
      return message instanceof Response response
          ? Form.parseAnswer(response)
          : new Unusable("not weft: an empty CoAP message");
    } catch (MessageFormatException | IllegalArgumentException | IllegalStateException e) {
      return new Unusable("malformed: " + e.getMessage());
    }
  }

  /** How announcements are written. */
  final class Form {
    private static final String PATH = ".well-known/core";
    private static final String TYPE = "weft";
    private static final String FILTER = LinkFormat.RESOURCE_TYPE + "=" + TYPE;
    private static final int MAXIMUM_QUERIES = 16;

    private Form() {}

    private static Map<String, String> attributes(Announcement announcement) {
      List<String> roles = new ArrayList<>();
      for (Role role : Role.values()) {
        if (announcement.roles().contains(role)) {
          roles.add(role.name().toLowerCase(Locale.ROOT));
        }
      }
      return Map.of(
          "id", announcement.shortId(),
          "salt", announcement.salt(),
          "roles", String.join(" ", roles),
          "protocol", String.valueOf(announcement.protocol()),
          "port", String.valueOf(announcement.port()),
          "host", announcement.hostLabel());
    }

    private static Announcement announcement(Map<String, String> attributes) {
      Set<Role> roles = new HashSet<>();
      for (String role : required(attributes, "roles").split(" ", -1)) {
        roles.add(Role.valueOf(role.toUpperCase(Locale.ROOT)));
      }
      return new Announcement(
          required(attributes, "salt"),
          required(attributes, "id"),
          roles,
          Integer.parseInt(required(attributes, "protocol")),
          Integer.parseInt(required(attributes, "port")),
          required(attributes, "host"));
    }

    private static String required(Map<String, String> attributes, String name) {
      String value = attributes.get(name);
      if (value == null) {
        throw new IllegalArgumentException("no '" + name + "'");
      }
      return value;
    }

    private static WebLink link(Announcement announcement) {
      WebLink link = new WebLink("/" + FrameEndpoint.RESOURCE);
      link.getAttributes().addResourceType(TYPE);
      attributes(announcement).forEach(link.getAttributes()::setAttribute);
      return link;
    }

    private static DiscoveryMessage parseRequest(Request request) {
      if (!request.getOptions().getUriPathString().equals(PATH)) {
        return new Unusable("not weft: a request for another resource");
      }
      if (request.getCode() == CoAP.Code.POST) {
        return parseLink(request)
            .filter(link -> "0".equals(link.get(LinkFormat.LIFE_TIME)))
            .<DiscoveryMessage>map(link -> new Goodbye(announcement(link)))
            .orElseGet(() -> new Unusable("not weft: a POST without a goodbye"));
      }
      List<String> queries = request.getOptions().getUriQuery();
      if (request.getCode() != CoAP.Code.GET
          || queries.size() > MAXIMUM_QUERIES
          || !queries.contains(FILTER)) {
        return new Unusable("not weft: a request for something else");
      }
      Map<String, String> attributes = new HashMap<>();
      for (String query : queries) {
        int equals = query.indexOf('=');
        if (equals > 0) {
          attributes.put(query.substring(0, equals), query.substring(equals + 1));
        }
      }
      return new Question(
          attributes.containsKey("id") ? Optional.of(announcement(attributes)) : Optional.empty(),
          Bytes.of(request.getTokenBytes()));
    }

    private static DiscoveryMessage parseAnswer(Response response) {
      if (response.getCode() != CoAP.ResponseCode.CONTENT) {
        return new Unusable("not weft: an answer " + response.getCode());
      }
      return parseLink(response)
          .<DiscoveryMessage>map(
              link -> new Answer(announcement(link), Bytes.of(response.getTokenBytes())))
          .orElseGet(() -> new Unusable("not weft: an answer without a link to weft"));
    }

    private static Optional<Map<String, String>> parseLink(Message message) {
      if (message.getOptions().getContentFormat() != MediaTypeRegistry.APPLICATION_LINK_FORMAT) {
        return Optional.empty();
      }
      for (WebLink link : LinkFormat.parse(message.getPayloadString())) {
        ResourceAttributes attributes = link.getAttributes();
        if (attributes.getResourceTypes().contains(TYPE)) {
          Map<String, String> values = new HashMap<>();
          for (String name : attributes.getAttributeKeySet()) {
            // Californium splits values at spaces, as those of rt are.
            values.put(name, String.join(" ", attributes.getAttributeValues(name)));
          }
          return Optional.of(values);
        }
      }
      return Optional.empty();
    }
  }
}
