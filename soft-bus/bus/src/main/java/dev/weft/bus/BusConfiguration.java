package dev.weft.bus;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Settings of the soft bus. */
@ObjectClassDefinition(
    id = "weft.bus",
    name = "Soft bus",
    description = "How this node meets others and talks to them")
public @interface BusConfiguration {
  /** What people call this node. */
  @AttributeDefinition(
      name = "Name",
      description = "what people call this node; empty for the machine's host name")
  String name() default "";

  /** Local addresses to listen on. */
  @AttributeDefinition(
      name = "Addresses",
      description = "local IP addresses to listen on, comma between them; * for all of the machine")
  String addresses() default "127.0.0.1";

  /** Whether addresses off the loopback interface are allowed. */
  @AttributeDefinition(
      name = "Insecure",
      description = "allow addresses off loopback although links are not authenticated yet")
  boolean insecure() default false;

  /** Port of the transport. */
  @AttributeDefinition(
      name = "Port",
      description = "UDP port; if taken, the next free one up to 100 above; 0 for any",
      min = "0",
      max = "65435")
  int port() default 7250;

  /** Managers to greet without discovery. */
  @AttributeDefinition(
      name = "Manager",
      description = "host:port of managers to greet without discovery, comma between them")
  String manager() default "";

  /** Heartbeat lease. */
  @AttributeDefinition(
      name = "Lease",
      description = "milliseconds of silence after which a node is taken for gone",
      min = "500",
      max = "600000")
  long lease_ms() default 10_000;

  /** Whether discoveries are used. */
  @AttributeDefinition(name = "Discovery", description = "announce this node and look for others")
  boolean discovery() default true;
}
