package dev.weft.example.policy;

import dev.weft.api.policy.PlacementPolicy;
import dev.weft.testkit.policy.PlacementPolicyContract;

/** What every policy must keep. */
class LastNodePolicyTest extends PlacementPolicyContract {
  @Override
  protected PlacementPolicy policy() {
    return new LastNodePolicy();
  }
}
