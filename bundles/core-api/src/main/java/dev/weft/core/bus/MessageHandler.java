package dev.weft.core.bus;

import dev.weft.core.message.Message;
import java.util.Set;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Serves requests of peers. Registered as a service; each kind of message has one handler. A
 * request that was delivered already is not delivered again: its answer is repeated.
 */
@ConsumerType
public interface MessageHandler {
  /** The kinds of request it serves. */
  Set<Class<? extends Message>> kinds();

  /**
   * A request has arrived. Called on the bus's thread: must not block.
   *
   * @param from the peer, which is up
   * @param request of one of the {@link #kinds()}
   * @param answer to be called once, on any thread, before the sender gives up
   */
  void handle(Peer from, Message request, Consumer<Message> answer);
}
