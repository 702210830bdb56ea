package dev.weft.api.policy;

import dev.weft.api.NodeId;
import java.util.Collection;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The shared pool at one moment. Immutable; may be kept and read on any thread. */
@ProviderType
public interface PoolView {
  /** Every node that may be given tasks, in order of id. */
  Collection<NodeView> nodes();

  /** One node of them. */
  Optional<NodeView> node(NodeId id);
}
