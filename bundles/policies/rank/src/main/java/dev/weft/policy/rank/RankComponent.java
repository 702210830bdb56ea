package dev.weft.policy.rank;

import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers {@link RankPolicy} as a service, below every other policy's ranking. */
@Component(
    configurationPid = "weft.policy.rank",
    property = {
      PlacementPolicy.NAME + "=rank",
      PlacementPolicy.VERSION + "=1.0.0",
      "service.ranking:Integer=-100"
    })
@Designate(ocd = RankConfiguration.class)
public final class RankComponent implements PlacementPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(RankComponent.class);

  private volatile RankPolicy policy = new RankPolicy(Weights.DEFAULT);

  /** Made by the framework. */
  @Activate
  public RankComponent(RankConfiguration configuration) {
    modified(configuration);
  }

  /** New weights hold from the next decision on; wrong ones change nothing. */
  @Modified
  void modified(RankConfiguration configuration) {
    try {
      policy = new RankPolicy(Weights.of(configuration));
    } catch (IllegalArgumentException e) {
      LOG.error("{}; the weights of before stay", e.getMessage());
    }
  }

  @Override
  public Optional<NodeOrder> order() {
    return policy.order();
  }

  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    return policy.place(requests, pool, seed);
  }
}
