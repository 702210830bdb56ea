package dev.weft.scheduler.split;

import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.SplitPolicy;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Holds the split policy with the highest ranking, which may come and go at any time. */
@Component(service = SplitPolicies.class)
public final class SplitPolicies {
  private volatile Optional<Active> active = Optional.empty();

  /**
   * A policy in use.
   *
   * @param policy the policy
   * @param name its name and version, as stamped on decisions
   */
  public record Active(SplitPolicy policy, String name) {
    /** Checks. */
    public Active {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(name, "name");
    }
  }

  /** The one for the next job; ask once per job. */
  public Optional<Active> active() {
    return active;
  }

  /** Another policy is to be used; called by the framework. */
  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      policyOption = ReferencePolicyOption.GREEDY)
  public synchronized void setPolicy(SplitPolicy policy, Map<String, Object> properties) {
    Object name = properties.getOrDefault(PlacementPolicy.NAME, policy.getClass().getName());
    Object version = properties.getOrDefault(PlacementPolicy.VERSION, "");
    active = Optional.of(new Active(policy, (name + " " + version).strip()));
  }

  /** A policy has gone; its successor may have come before. */
  public synchronized void unsetPolicy(SplitPolicy policy) {
    if (active.isPresent() && active.get().policy() == policy) {
      active = Optional.empty();
    }
  }
}
