package dev.weft.api.inventory;

import java.util.List;
import java.util.Optional;

/**
 * Everything that the probes of a node found.
 *
 * @param devices at most 256
 * @param notes what was looked for and not found, or could not be read, in plain words; at most 64
 */
public record Inventory(List<Device> devices, List<String> notes) {
  /** Nothing known yet. */
  public static final Inventory EMPTY = new Inventory(List.of(), List.of());

  private static final int MAXIMUM_DEVICES = 256;
  private static final int MAXIMUM_NOTES = 64;

  /** Copies and checks. */
  public Inventory {
    devices = List.copyOf(devices);
    notes = List.copyOf(notes);
    if (devices.size() > MAXIMUM_DEVICES || notes.size() > MAXIMUM_NOTES) {
      throw new IllegalArgumentException(
          "at most " + MAXIMUM_DEVICES + " devices and " + MAXIMUM_NOTES + " notes");
    }
  }

  /** The first device of a kind. */
  public <D extends Device> Optional<D> first(Class<D> kind) {
    return all(kind).stream().findFirst();
  }

  /** Every device of a kind, in the order found. */
  public <D extends Device> List<D> all(Class<D> kind) {
    return devices.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
