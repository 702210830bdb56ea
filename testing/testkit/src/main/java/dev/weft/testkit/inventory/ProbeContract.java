package dev.weft.testkit.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.inventory.Device;
import dev.weft.api.inventory.Inventory;
import dev.weft.api.inventory.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every probe must keep, on any machine. */
@Timeout(60)
public abstract class ProbeContract {
  /** The time that an agent gives a probe. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /** A report cuts longer ones off. */
  private static final int MAXIMUM_NOTE = 200;

  private static final int MAXIMUM_NAME = 32;

  /** The probe on this machine. */
  protected abstract Probe probe();

  /** The probe where nothing that it looks for can be found or read. */
  protected abstract Probe lost();

  @Test
  void hasAShortNameThatStays() {
    String name = probe().name();
    assertTrue(name.matches("[a-z][a-z0-9]*(\\.[a-z0-9]+)*"), name);
    assertTrue(name.length() <= MAXIMUM_NAME, name);
    assertEquals(name, probe().name());
    assertEquals(name, lost().name());
  }

  @Test
  void looksInTimeAndFindsTheSameAgain() throws Exception {
    Probe probe = probe();
    List<String> first = names(lookInTime(probe).devices());
    assertEquals(first, names(lookInTime(probe).devices()));
    assertEquals(first.stream().distinct().toList(), first, "the same device twice");
  }

  @Test
  void saysInPlainShortWordsWhatItDidNotFind() throws Exception {
    for (String note : lookInTime(probe()).notes()) {
      assertNote(note);
    }
    Optional<Inventory> found = Optional.empty();
    try {
      found = Optional.of(lookInTime(lost()));
    } catch (Exception allowed) {
      assertFalse(String.valueOf(allowed.getMessage()).isBlank(), "fails without a message");
    }
    found.map(Inventory::notes).orElse(List.of()).forEach(ProbeContract::assertNote);
  }

  @Test
  void findsNoGraphicsProcessorWhereThereIsNone() {
    List<Device.Gpu> found;
    try {
      found = lookInTime(lost()).all(Device.Gpu.class);
    } catch (Exception allowed) {
      found = List.of();
    }
    assertEquals(List.of(), found);
  }

  @Test
  void toleratesBeingInterrupted() throws Exception {
    Probe probe = probe();
    FutureTask<Boolean> look =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              try {
                probe.look();
              } catch (Exception allowed) {
                return true;
              }
              return true;
            });
    Thread thread = new Thread(look, "probe");
    thread.setDaemon(true);
    thread.start();
    assertTrue(look.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS));
    assertEquals(names(lookInTime(probe).devices()), names(lookInTime(probe()).devices()));
  }

  private static Inventory lookInTime(Probe probe) throws Exception {
    Callable<Inventory> look = probe::look;
    return assertTimeoutPreemptively(DEADLINE, look::call);
  }

  private static void assertNote(String note) {
    assertFalse(note.isBlank(), "an empty note");
    assertTrue(note.length() <= MAXIMUM_NOTE, note);
    assertFalse(note.contains("\n"), note);
  }

  /** What must not change from look to look: kind, and id where there may be several. */
  private static List<String> names(List<Device> devices) {
    return devices.stream()
        .map(
            device ->
                device.getClass().getSimpleName()
                    + (device instanceof Device.Gpu gpu ? " " + gpu.id() : ""))
        .toList();
  }
}
