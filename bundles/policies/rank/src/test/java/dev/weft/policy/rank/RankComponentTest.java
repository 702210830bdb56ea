package dev.weft.policy.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.ResourceType;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeOrder.Weight;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankComponentTest {
  @Test
  void withoutConfigurationEachCoreGibibyteAndDeviceCountsOne() {
    assertEquals(
        Map.of(
            ResourceType.CPU, new Weight(1, 1_000),
            ResourceType.MEMORY, new Weight(1, 1L << 30),
            ResourceType.GPU, new Weight(1, 1_000)),
        weights(new RankComponent(configuration(Map.of()))));
  }

  @Test
  void everyWeightAndUnitCanBeSet() {
    RankComponent component =
        new RankComponent(
            configuration(
                Map.of(
                    "weight_cpu", 2.0,
                    "weight_memory", 3.0,
                    "weight_gpu", 4.0,
                    "weight_other", "camera=2.5, gpu.memory = 6,fpga=0",
                    "unit_cpu", 8.0,
                    "unit_memory", 0.5,
                    "unit_gpu", 2.0,
                    "unit_other", "camera=10,gpu.memory=16")));
    assertEquals(
        Map.of(
            ResourceType.CPU,
            new Weight(2, 8_000),
            ResourceType.MEMORY,
            new Weight(3, 1L << 29),
            ResourceType.GPU,
            new Weight(4, 2_000),
            ResourceType.GPU_MEMORY,
            new Weight(6, 16L << 30),
            new ResourceType("camera"),
            new Weight(2.5, 10),
            new ResourceType("fpga"),
            new Weight(0, 1)),
        weights(component));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weight_cpu    | -1            | weight.cpu = -1.0: expected a decimal number from 0 to",
        "weight_memory | NaN           | weight.memory = NaN: expected a decimal number from 0 to",
        "weight_gpu    | 1000001       | weight.gpu = 1000001.0: expected a decimal number from",
        "unit_cpu      | 0             | unit.cpu = 0.0: expected a decimal number from 0.001 to",
        "unit_memory   | -5            | unit.memory = -5.0: expected a decimal number from 0.001",
        "unit_gpu      | Infinity      | unit.gpu = Infinity: expected a decimal number from 0.001",
        "weight_other  | camera        | weight.other = camera: expected name=number",
        "weight_other  | camera=much   | weight.other = camera=much: expected name=number",
        "weight_other  | camera=-1     | weight.other = camera=-1: expected name=number",
        "weight_other  | cpu=1         | weight.other = cpu=1: expected name=number",
        "weight_other  | gpu.0=1       | weight.other = gpu.0=1: expected name=number",
        "weight_other  | Camera=1      | weight.other = Camera=1: expected name=number",
        "weight_other  | a=1,a=2       | weight.other = a=1,a=2: expected name=number",
        "weight_other  | a=1,          | weight.other = a=1,: expected name=number",
        "unit_other    | a=0           | unit.other = a=0: expected name=number",
        "unit_other    | a=2           | unit.other = a=2: expected only names that weight.other has",
      })
  void aWrongChangeIsRefusedAndSaidOnce(String key, String value, String message) {
    RankComponent component = new RankComponent(configuration(Map.of("weight_cpu", 7.0)));
    Optional<NodeOrder> before = component.order();
    Object wrong = key.endsWith("other") ? value : Double.valueOf(value);
    String log = logOf(() -> component.modified(configuration(Map.of(key, wrong))));
    assertEquals(before, component.order());
    assertTrue(log.contains(message), log);
    assertTrue(log.contains("; the weights of before stay"), log);
    assertEquals(1, log.lines().count(), log);
  }

  @Test
  void tooManyOthersAreRefused() {
    StringBuilder many = new StringBuilder("c0=1");
    for (int i = 1; i < NodeOrder.MAXIMUM_TYPES - 3; i++) {
      many.append(",c").append(i).append("=1");
    }
    RankComponent component = new RankComponent(configuration(Map.of("weight_other", many + "")));
    assertEquals(NodeOrder.MAXIMUM_TYPES, weights(component).size());
    String log =
        logOf(() -> component.modified(configuration(Map.of("weight_other", many + ",more=1"))));
    assertTrue(log.contains("weight.other = c0=1,"), log);
    assertEquals(NodeOrder.MAXIMUM_TYPES, weights(component).size());
  }

  @Test
  void aWrongConfigurationAtTheStartLeavesTheDefaults() {
    String log =
        logOf(
            () ->
                assertEquals(
                    Weights.DEFAULT.weights(),
                    weights(new RankComponent(configuration(Map.of("unit_gpu", 0.0))))));
    assertTrue(log.contains("unit.gpu = 0.0"), log);
  }

  private static Map<ResourceType, Weight> weights(RankComponent component) {
    return component.order().orElseThrow().weights();
  }

  /** What is logged meanwhile; the simple logger of the tests writes to the error output. */
  private static String logOf(Runnable action) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static RankConfiguration configuration(Map<String, Object> values) {
    return (RankConfiguration)
        Proxy.newProxyInstance(
            RankConfiguration.class.getClassLoader(),
            new Class<?>[] {RankConfiguration.class},
            (proxy, method, arguments) ->
                values.getOrDefault(method.getName(), method.getDefaultValue()));
  }
}
