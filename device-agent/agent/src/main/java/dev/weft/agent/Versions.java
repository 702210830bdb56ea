package dev.weft.agent;

import dev.weft.core.resources.Authority;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What this node believes, for each group of resource managers, of the version of its free amount
 * (B1) and of the term of their leader. Part of the core.
 */
final class Versions {
  /** Most groups known; of more the one that was not heard of for longest is forgotten. */
  static final int MAXIMUM_GROUPS = 16;

  private final VersionRules.Relation relation;
  private final Map<String, Belief> groups =
      new LinkedHashMap<>(MAXIMUM_GROUPS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Belief> eldest) {
          return size() > MAXIMUM_GROUPS;
        }
      };

  private record Belief(long version, long term) {
    static final Belief NOTHING = new Belief(0, 0);
  }

  Versions(VersionRules.Relation relation) {
    this.relation = Objects.requireNonNull(relation, "relation");
  }

  private Belief belief(String group) {
    return groups.getOrDefault(group, Belief.NOTHING);
  }

  long version(String group) {
    return belief(group).version();
  }

  long term(String group) {
    return belief(group).term();
  }

  /** Whether a later leader of the group is known. */
  boolean isOutdated(Authority authority) {
    return authority.term() < term(authority.group());
  }

  /** A manager says who leads its group. Returns whether that is a new term. */
  boolean hear(Authority authority) {
    Belief belief = belief(authority.group());
    if (authority.term() <= belief.term()) {
      return false;
    }
    groups.put(authority.group(), new Belief(belief.version(), authority.term()));
    return true;
  }

  /** An assignment came with a version (B6). */
  void dispatched(String group, long version) {
    Belief belief = belief(group);
    if (relation.holds(version, belief.version())) {
      groups.put(group, new Belief(version, belief.term()));
    }
  }

  /** The manager says which version holds (B4). */
  void take(String group, long version) {
    groups.put(group, new Belief(version, belief(group).term()));
  }
}
