package dev.weft.itests.launch;

/** A component that cannot be made. It runs in a bundle of its own. */
public final class FailingComponent {
  /** Fails. */
  public FailingComponent() {
    throw new IllegalStateException("the device is missing; connect it");
  }
}
