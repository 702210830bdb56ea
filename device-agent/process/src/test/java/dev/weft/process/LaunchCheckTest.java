package dev.weft.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchCheckTest {
  private static final String SAID = "setsid: failed to execute ./run: Exec format error\n";

  @Test
  void repeatsWhatSetsidSaid() {
    assertEquals(
        Optional.of("cannot start './run': failed to execute ./run: Exec format error"),
        LaunchCheck.refusal("./run", 126, SAID));
  }

  @Test
  void leavesToTheProgramWhatIsItsOwn() {
    assertEquals(Optional.empty(), LaunchCheck.refusal("./run", 1, SAID));
    assertEquals(Optional.empty(), LaunchCheck.refusal("./run", 127, ""));
    assertEquals(Optional.empty(), LaunchCheck.refusal("./run", 127, "sh: x: not found\n"));
    assertEquals(Optional.empty(), LaunchCheck.refusal("./run", 127, SAID + "more\n"));
  }
}
