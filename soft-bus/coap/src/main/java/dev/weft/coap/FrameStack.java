package dev.weft.coap;

import org.eclipse.californium.core.network.Outbox;
import org.eclipse.californium.core.network.stack.BaseCoapStack;
import org.eclipse.californium.core.network.stack.ExchangeCleanupLayer;
import org.eclipse.californium.core.network.stack.Layer;
import org.eclipse.californium.core.network.stack.ReliabilityLayer;
import org.eclipse.californium.elements.config.Configuration;

/**
 * Californium's layers without block-wise transfer and observation: a frame is one datagram.
 * Block-wise transfers of one peer to one resource exclude each other, which frames in parallel
 * must not.
 */
final class FrameStack extends BaseCoapStack {
  FrameStack(Configuration configuration, Outbox outbox) {
    super(outbox);
    setLayers(
        new Layer[] {new ExchangeCleanupLayer(configuration), new ReliabilityLayer(configuration)});
  }
}
