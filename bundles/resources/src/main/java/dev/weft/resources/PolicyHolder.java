package dev.weft.resources;

import dev.weft.api.policy.PlacementPolicy;
import java.util.Map;
import java.util.Optional;
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

  private volatile Active active;

  /** A policy with the name and version that its decisions are stamped with. */
  record Active(PlacementPolicy policy, String stamp) {}

  Optional<Active> active() {
    return Optional.ofNullable(active);
  }

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  void bindPolicy(PlacementPolicy policy, Map<String, Object> properties) {
    String name = String.valueOf(properties.getOrDefault(PlacementPolicy.NAME, "unnamed"));
    String version = String.valueOf(properties.getOrDefault(PlacementPolicy.VERSION, ""));
    Active bound = new Active(policy, (name + " " + version).strip());
    active = bound;
    LOG.info("places by policy {} from now on", bound.stamp());
  }

  void unbindPolicy(PlacementPolicy policy) {
    Active now = active;
    if (now != null && now.policy() == policy) {
      active = null;
      LOG.warn("no placement policy is there any more: tasks wait");
    }
  }
}
