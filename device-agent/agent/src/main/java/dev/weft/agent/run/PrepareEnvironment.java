package dev.weft.agent.run;

import dev.weft.api.Environment;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.inventory.Device;
import dev.weft.api.job.Command;
import dev.weft.api.job.Shard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fills in the placeholders of arguments and environment, and adds the variables that tell the
 * command what it works on. A placeholder that its kind of shard does not have stays as it is.
 */
final class PrepareEnvironment implements StartHook {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(input|index|from|to|step)\\}");

  private static final Pattern GPU = Pattern.compile("gpu\\.(\\d{1,4})");
  private static final String NVIDIA = "NVIDIA";

  private final NodeId node;
  private final Gpus gpus;

  PrepareEnvironment(NodeId node, Gpus gpus) {
    this.gpus = Objects.requireNonNull(gpus, "gpus");
    this.node = Objects.requireNonNull(node, "node");
  }

  @Override
  public void prepare(Preparation preparation) {
    RunRequest request = preparation.request();
    Map<String, String> values = values(preparation);
    Command command = request.part().command();
    preparation.arguments(
        command.arguments().stream().map(argument -> fill(argument, values)).toList());

    SortedMap<String, String> environment = new TreeMap<>(locale(command.environment().keySet()));
    command.environment().forEach((name, value) -> environment.put(name, fill(value, values)));
    environment.put("WEFT_JOB", request.attempt().task().job().hex());
    environment.put("WEFT_TASK", values.get("index"));
    environment.put("WEFT_ATTEMPT", Integer.toString(request.attempt().number()));
    environment.put("WEFT_TASKS", Integer.toString(request.part().tasks()));
    environment.put("WEFT_NODE", node.hex());
    for (String name : List.of("input", "from", "to", "step")) {
      if (values.containsKey(name)) {
        environment.put("WEFT_" + name.toUpperCase(java.util.Locale.ROOT), values.get(name));
      }
    }
    environment.putAll(devices(request.resources()));
    preparation.environment(environment);
  }

  /**
   * Shows a command the graphics processors that it was given, and hides the others from it,
   * whatever the job says: NVIDIA's libraries and container tools obey these variables.
   */
  private Map<String, String> devices(Resources resources) {
    List<Integer> numbers = new ArrayList<>();
    for (ResourceType type : resources.in(Environment.REE).asMap().keySet()) {
      Matcher matcher = GPU.matcher(type.name());
      if (matcher.matches()) {
        numbers.add(Integer.parseInt(matcher.group(1)));
      }
    }
    List<Device.Gpu> given = gpus.of(numbers);
    Map<String, String> variables = new HashMap<>();
    if (!given.isEmpty()) {
      variables.put("WEFT_GPUS", ids(given.stream()));
    }
    if (gpus.has(NVIDIA)) {
      String visible = ids(given.stream().filter(gpu -> gpu.vendor().equals(NVIDIA)));
      variables.put("CUDA_VISIBLE_DEVICES", visible);
      variables.put("NVIDIA_VISIBLE_DEVICES", visible.isEmpty() ? "void" : visible);
    }
    return variables;
  }

  private static String ids(Stream<Device.Gpu> devices) {
    return devices.map(Device.Gpu::id).collect(Collectors.joining(","));
  }

  /**
   * The locale of a task: the same on every node, so that shards are sorted and counted alike. If
   * the job chooses one, nothing of the node's may stand above it.
   */
  private static Map<String, String> locale(Set<String> chosen) {
    boolean isChosen =
        chosen.stream().anyMatch(name -> name.equals("LANG") || name.startsWith("LC_"));
    return Map.of("LC_ALL", isChosen ? "" : "C.UTF-8");
  }

  private static Map<String, String> values(Preparation preparation) {
    RunRequest request = preparation.request();
    Map<String, String> values = new HashMap<>();
    values.put("index", Integer.toString(request.attempt().task().index()));
    preparation.input().ifPresent(file -> values.put("input", file.toString()));
    if (request.shard() instanceof Shard.Numbers numbers) {
      values.put("from", Long.toString(numbers.from()));
      values.put("to", Long.toString(numbers.to()));
      values.put("step", Long.toString(numbers.step()));
    }
    return values;
  }

  private static String fill(String text, Map<String, String> values) {
    if (text.indexOf('{') < 0) {
      return text;
    }
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }
}
