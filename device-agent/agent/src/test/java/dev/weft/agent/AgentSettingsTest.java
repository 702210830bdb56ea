package dev.weft.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weft.api.ResourceType;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentSettingsTest {
  /** The declared defaults, but for what is given. */
  static AgentConfiguration configuration(Map<String, Object> given) {
    return (AgentConfiguration)
        Proxy.newProxyInstance(
            AgentSettingsTest.class.getClassLoader(),
            new Class<?>[] {AgentConfiguration.class},
            (proxy, method, arguments) ->
                given.getOrDefault(method.getName(), method.getDefaultValue()));
  }

  @Test
  void readsWhatIsSet() {
    AgentSettings settings =
        AgentSettings.of(
            configuration(
                Map.of(
                    "offer_cpu", "1.5",
                    "offer_memory", "2GiB",
                    "offer_gpu", "0",
                    "offer_counters", "camera=2, licence=5",
                    "labels", "room=b, fast=yes")));
    assertEquals(OptionalLong.of(1_500), settings.offer().cpuMilli());
    assertEquals(OptionalLong.of(2L << 30), settings.offer().memoryBytes());
    assertEquals(OptionalLong.of(0), settings.offer().gpus());
    assertEquals(
        Map.of(new ResourceType("camera"), 2L, new ResourceType("licence"), 5L),
        settings.offer().counters());
    assertEquals(Map.of("room", "b", "fast", "yes"), settings.offer().labels());
  }

  @Test
  void theDefaultsCapNothing() {
    AgentSettings settings = AgentSettings.of(configuration(Map.of()));
    assertEquals(OptionalLong.empty(), settings.offer().cpuMilli());
    assertEquals(5_000, settings.reportPeriod().toMillis());
    assertEquals(200, settings.keep().count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "offer_cpu    | two        | offer.cpu = two: expected a number of cores such"
            + " as 1.5, at most 3 decimals",
        "offer_memory | 2          | offer.memory = 2: expected a number with a unit,"
            + " B, KiB, MiB, GiB, TiB, kB, MB, GB or TB",
        "offer_gpu    | -1         | offer.gpu = -1: expected a whole number of devices",
        "offer_counters | gpu=1    | offer.counters = gpu=1: expected name=number with commas"
            + " between, names of small letters, digits and -, not cpu, memory or gpu",
        "offer_counters | fpga=0   | offer.counters = fpga=0: expected name=number with commas"
            + " between, names of small letters, digits and -, not cpu, memory or gpu",
        "labels       | a          | labels = a: expected key=value with commas"
            + " between, of letters, digits and . _ / -, at most 63 each",
        "labels       | a=1,a=2    | labels = a=1,a=2: expected each name once; 'a' is"
            + " there twice",
      })
  void refusesWithKeyValueAndWhatWasExpected(String key, String value, String message) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> AgentSettings.of(configuration(Map.of(key, value))));
    assertEquals(message, refusal.getMessage());
  }
}
