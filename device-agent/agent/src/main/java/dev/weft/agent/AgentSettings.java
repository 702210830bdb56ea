package dev.weft.agent;

import dev.weft.agent.run.AttemptFolders;
import dev.weft.agent.run.RunLimits;
import dev.weft.api.ResourceType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The settings of the agent, checked.
 *
 * @param offer what is offered
 * @param reportPeriod time between two reports when nothing changes
 * @param versions how versions are kept; another holds from the next start on
 * @param inventoryPeriod time between two looks
 * @param limits what attempts may write
 * @param keep outputs kept
 */
record AgentSettings(
    OfferRules offer,
    Duration reportPeriod,
    VersionRules versions,
    Duration inventoryPeriod,
    RunLimits limits,
    AttemptFolders.Keep keep) {
  private static final Pattern CORES = Pattern.compile("\\d{1,6}(\\.\\d{1,3})?");
  private static final Pattern COUNT = Pattern.compile("\\d{1,4}");
  private static final Pattern LABEL_KEY = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]{0,62}");
  private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9._/-]{0,63}");
  private static final Pattern AMOUNT = Pattern.compile("[1-9]\\d{0,8}");
  private static final int MAXIMUM_LABELS = 30;
  private static final int MAXIMUM_COUNTERS = 16;
  private static final String LABELS =
      "key=value with commas between, of letters, digits and . _ / -, at most 63 each";
  private static final String COUNTERS =
      "name=number with commas between, names of small letters, digits and -, not cpu, memory or gpu";
  private static final int MEBIBYTE_SHIFT = 20;

  AgentSettings {
    Objects.requireNonNull(offer, "offer");
    Objects.requireNonNull(reportPeriod, "reportPeriod");
    Objects.requireNonNull(versions, "versions");
    Objects.requireNonNull(inventoryPeriod, "inventoryPeriod");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(keep, "keep");
  }

  /**
   * Reads a configuration whose types and ranges are right already.
   *
   * @throws IllegalArgumentException with key, value and what was expected
   */
  static AgentSettings of(AgentConfiguration configuration) {
    return new AgentSettings(
        new OfferRules(
            cores(configuration.offer_cpu()),
            memory(configuration.offer_memory()),
            gpus(configuration.offer_gpu()),
            counters(configuration.offer_counters()),
            labels(configuration.labels())),
        Duration.ofMillis(configuration.report_period_ms()),
        new VersionRules(
            configuration.version_relation(), Duration.ofMillis(configuration.version_differ_ms())),
        Duration.ofMillis(configuration.inventory_period_ms()),
        new RunLimits(
            configuration.output_limit_mib() << MEBIBYTE_SHIFT,
            configuration.errors_limit_mib() << MEBIBYTE_SHIFT),
        new AttemptFolders.Keep(
            configuration.logs_keep(), configuration.logs_keep_mib() << MEBIBYTE_SHIFT));
  }

  private static OptionalLong cores(String text) {
    if (text.isBlank()) {
      return OptionalLong.empty();
    }
    if (!CORES.matcher(text.strip()).matches()) {
      throw wrong("offer.cpu", text, "a number of cores such as 1.5, at most 3 decimals");
    }
    return OptionalLong.of(new BigDecimal(text.strip()).movePointRight(3).longValueExact());
  }

  private static OptionalLong memory(String text) {
    if (text.isBlank()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        MemorySize.parse(text).orElseThrow(() -> wrong("offer.memory", text, MemorySize.EXPECTED)));
  }

  private static OptionalLong gpus(String text) {
    if (text.isBlank()) {
      return OptionalLong.empty();
    }
    if (!COUNT.matcher(text.strip()).matches()) {
      throw wrong("offer.gpu", text, "a whole number of devices");
    }
    return OptionalLong.of(Long.parseLong(text.strip()));
  }

  private static Map<ResourceType, Long> counters(String text) {
    Map<ResourceType, Long> counters = new TreeMap<>();
    for (Map.Entry<String, String> pair :
        pairs("offer.counters", text, COUNTERS, MAXIMUM_COUNTERS).entrySet()) {
      if (!ResourceType.isCounter(pair.getKey()) || !AMOUNT.matcher(pair.getValue()).matches()) {
        throw wrong("offer.counters", text, COUNTERS);
      }
      counters.put(new ResourceType(pair.getKey()), Long.parseLong(pair.getValue()));
    }
    return counters;
  }

  private static SortedMap<String, String> labels(String text) {
    SortedMap<String, String> labels = pairs("labels", text, LABELS, MAXIMUM_LABELS);
    for (Map.Entry<String, String> label : labels.entrySet()) {
      if (!LABEL_KEY.matcher(label.getKey()).matches()
          || !LABEL_VALUE.matcher(label.getValue()).matches()) {
        throw wrong("labels", text, LABELS);
      }
    }
    return labels;
  }

  private static SortedMap<String, String> pairs(
      String key, String text, String expected, int most) {
    SortedMap<String, String> pairs = new TreeMap<>();
    if (text.isBlank()) {
      return pairs;
    }
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw wrong(key, text, expected);
      }
      String name = pair.substring(0, equals).strip();
      if (pairs.put(name, pair.substring(equals + 1).strip()) != null) {
        throw wrong(key, text, "each name once; '" + name + "' is there twice");
      }
    }
    if (pairs.size() > most) {
      throw wrong(key, text, "at most " + most + " of them");
    }
    return pairs;
  }

  private static IllegalArgumentException wrong(String key, String value, String expected) {
    return new IllegalArgumentException(key + " = " + value + ": expected " + expected);
  }
}
