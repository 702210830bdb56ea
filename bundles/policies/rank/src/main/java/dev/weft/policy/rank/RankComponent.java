package dev.weft.policy.rank;

import dev.weft.api.policy.PlacementPolicy;
import dev.weft.api.policy.PoolView;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Offers {@link RankPolicy} as a service, below every other policy's ranking. */
@Component(
    configurationPid = "weft.policy.rank",
    property = {
      PlacementPolicy.NAME + "=rank",
      PlacementPolicy.VERSION + "=1.0.0",
      "service.ranking:Integer=-100"
    })
@Designate(ocd = RankComponent.Settings.class)
public final class RankComponent implements PlacementPolicy {
  private volatile RankPolicy policy;

  /** Made by the framework. */
  @Activate
  public RankComponent(Settings settings) {
    policy = policy(settings);
  }

  /** New weights hold from the next decision on. */
  @Modified
  void modified(Settings settings) {
    policy = policy(settings);
  }

  @Override
  public List<Decision> place(List<Request> requests, PoolView pool, long seed) {
    return policy.place(requests, pool, seed);
  }

  private static RankPolicy policy(Settings settings) {
    return new RankPolicy(
        new RankPolicy.Weights(
            settings.weight_cpu(), settings.weight_memory(), settings.weight_gpu()));
  }

  /** Settings of the policy. */
  @ObjectClassDefinition(
      id = "weft.policy.rank",
      name = "Placement policy rank",
      description = "Nodes with more free resources first")
  public @interface Settings {
    /** Weight of a core. */
    @AttributeDefinition(
        name = "Weight of processors",
        description = "rank per free core",
        min = "0",
        max = "1000000")
    double weight_cpu() default 1;

    /** Weight of a GiB. */
    @AttributeDefinition(
        name = "Weight of memory",
        description = "rank per free GiB",
        min = "0",
        max = "1000000")
    double weight_memory() default 1;

    /** Weight of a graphics processor. */
    @AttributeDefinition(
        name = "Weight of graphics processors",
        description = "rank per free device",
        min = "0",
        max = "1000000")
    double weight_gpu() default 1;
  }
}
