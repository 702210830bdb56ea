package dev.weft.resources;

import dev.weft.api.policy.PlacementPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the placement policy in use: the one with the highest service ranking. It may change at any
 * moment, so the field is read once per call.
 */
@Component(service = PolicyHolder.class)
public final class PolicyHolder {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyHolder.class);

  private Optional<Active> active = Optional.empty();
  private Consumer<Optional<Active>> listener = changed -> {};

  /** A policy with the name and version that its decisions are stamped with. */
  record Active(PlacementPolicy policy, String stamp) {}

  /** The listener is told the policy in use now, and each change of it or of its settings. */
  synchronized void listen(Consumer<Optional<Active>> wanted) {
    listener = wanted;
    listener.accept(active);
  }

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  synchronized void bindPolicy(PlacementPolicy policy, Map<String, Object> properties) {
    String name = String.valueOf(properties.getOrDefault(PlacementPolicy.NAME, "unnamed"));
    String version = String.valueOf(properties.getOrDefault(PlacementPolicy.VERSION, ""));
    Active bound = new Active(policy, (name + " " + version).strip());
    active = Optional.of(bound);
    listener.accept(active);
    LOG.info("places by policy {} from now on", bound.stamp());
  }

  /** The policy's settings have changed, and with them perhaps its order. */
  synchronized void updatedPolicy(PlacementPolicy policy, Map<String, Object> properties) {
    if (active.isPresent() && active.get().policy() == policy) {
      listener.accept(active);
    }
  }

  synchronized void unbindPolicy(PlacementPolicy policy) {
    if (active.isPresent() && active.get().policy() == policy) {
      active = Optional.empty();
      listener.accept(active);
      LOG.warn("no placement policy is there any more: tasks wait");
    }
  }
}
