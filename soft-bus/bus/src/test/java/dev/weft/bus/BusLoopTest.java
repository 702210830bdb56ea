package dev.weft.bus;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.BusStatus;
import dev.weft.core.bus.LocalNode;
import dev.weft.core.bus.MessageHandler;
import dev.weft.core.bus.Peer;
import dev.weft.core.bus.PeerListener;
import dev.weft.core.message.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusLoopTest {
  private static final NodeId SELF = new NodeId("cc".repeat(32));
  private static final NodeId OTHER = new NodeId("dd".repeat(32));
  private static final InetSocketAddress THERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_000);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("5e".repeat(16)), 0), 1);
  private static final Message.ReadLog QUESTION =
      new Message.ReadLog(ATTEMPT, Message.Stream.OUTPUT, 0);

  private final WireCodec codec = new WireCodec();
  private final FakeEndpoint endpoint = new FakeEndpoint(60_000);
  private final List<BusLoop> loops = new CopyOnWriteArrayList<>();

  private BusLoop loop(long boot, Role... roles) {
    LocalNode self = new LocalNode(SELF, boot, "self", Set.of(roles), List.of());
    BusStatus status = new BusStatus(List.of(), List.of(), List.of(), List.of());
    BusLoop loop = BusLoop.threaded(self, Duration.ofSeconds(60), () -> status);
    loop.open(endpoint);
    loop.start();
    loops.add(loop);
    return loop;
  }

  @AfterEach
  void stop() {
    loops.forEach(BusLoop::stop);
  }

  private void says(BusLoop loop, Envelope... envelopes) {
    loop.received(THERE, codec.encode(new Frame(OTHER, 1, List.of(envelopes))));
  }

  private void meet(BusLoop loop, NodeId id) {
    Bytes greeting = codec.encode(new Greeting("other", Set.of(Role.values()), 60_000));
    Envelope hello = new Envelope(Envelope.Kind.HELLO, 0, greeting);
    loop.received(THERE, codec.encode(new Frame(id, 1, List.of(hello))));
    await().until(() -> loop.peer(id).isPresent());
  }

  private Envelope request(long id) {
    return new Envelope(Envelope.Kind.REQUEST, id, codec.encode(QUESTION));
  }

  private List<Envelope> sent(Envelope.Kind kind) {
    return endpoint.envelopes.stream().filter(envelope -> envelope.kind() == kind).toList();
  }

  private static MessageHandler handler(BiConsumer<Peer, Consumer<Message>> action) {
    return new MessageHandler() {
      @Override
      public Set<Class<? extends Message>> kinds() {
        return Set.of(Message.ReadLog.class);
      }

      @Override
      public void handle(Peer from, Message request, Consumer<Message> answer) {
        action.accept(from, answer);
      }
    };
  }

  private static Message ask(BusLoop loop, NodeId to, Duration deadline) throws Exception {
    return loop.request(to, QUESTION, deadline).toCompletableFuture().get(5, TimeUnit.SECONDS);
  }

  private static String code(Message answer) {
    Fault fault = assertInstanceOf(Message.Failed.class, answer).fault();
    return fault.code();
  }

  @Test
  void aNodeWithBothRolesServesItself() throws Exception {
    BusLoop loop = loop(1, Role.values());
    assertEquals("message.unserved", code(ask(loop, SELF, SECOND)));
    loop.addHandler(handler((from, answer) -> answer.accept(new Message.Done())));
    assertEquals(new Message.Done(), ask(loop, SELF, SECOND));
    assertEquals("self", loop.peer(SELF).orElseThrow().via());
    assertEquals(List.of(), endpoint.frames, "without any network");
  }

  @Test
  void aRequestToItselfEndsWithItsDeadlineToo() throws Exception {
    BusLoop loop = loop(1, Role.values());
    loop.addHandler(handler((from, answer) -> {}));
    assertEquals("peer.silent", code(ask(loop, SELF, Duration.ofMillis(50))));
  }

  @Test
  void aNodeWithOneRoleIsNoPeerOfItself() throws Exception {
    for (Role role : Role.values()) {
      BusLoop loop = loop(1, role);
      assertEquals("peer.down", code(ask(loop, SELF, SECOND)));
      assertEquals(List.of(), loop.peers());
    }
  }

  @Test
  void aListenerHearsOfPeersThatAreUpWhenItComes() {
    BusLoop loop = loop(1, Role.values());
    meet(loop, OTHER);
    Listener listener = new Listener();
    loop.addListener(listener);
    await().until(() -> listener.heard.size() == 2);
    assertEquals(List.of("up cccccccc", "up dddddddd"), listener.heard);
    says(loop, Envelope.of(Envelope.Kind.GOODBYE));
    await().until(() -> listener.heard.contains("down dddddddd"));
    loop.removeListener(listener);
    meet(loop, new NodeId("ee".repeat(32)));
    assertEquals(3, listener.heard.size());
  }

  @Test
  void peersAreInOrderOfTheirIds() {
    BusLoop loop = loop(1, Role.values());
    meet(loop, OTHER);
    meet(loop, new NodeId("11".repeat(32)));
    assertEquals(
        List.of("11111111", "cccccccc", "dddddddd"),
        loop.peers().stream().map(peer -> peer.id().shortForm()).toList());
  }

  @Test
  void aHandlerThatComesAndGoesIsUsedWhileItIsThere() {
    BusLoop loop = loop(1, Role.AGENT);
    meet(loop, OTHER);
    MessageHandler handler = handler((from, answer) -> answer.accept(new Message.Done()));
    says(loop, request(1));
    await().until(() -> sent(Envelope.Kind.ANSWER).size() == 1);
    loop.addHandler(handler);
    says(loop, request(2));
    await().until(() -> sent(Envelope.Kind.ANSWER).size() == 2);
    loop.removeHandler(handler);
    says(loop, request(3));
    await().until(() -> sent(Envelope.Kind.ANSWER).size() == 3);
    assertEquals("message.unserved", code(answer(0)));
    assertEquals(new Message.Done(), answer(1));
    assertEquals("message.unserved", code(answer(2)));
  }

  private Message answer(int index) {
    var decoded = codec.decodeMessage(sent(Envelope.Kind.ANSWER).get(index).body());
    if (decoded instanceof WireCodec.Decoded.Good<Message> good) {
      return good.value();
    }
    throw new AssertionError(decoded.toString());
  }

  @Test
  void whatCannotBeReadIsAnsweredSo() {
    BusLoop loop = loop(1, Role.AGENT);
    meet(loop, OTHER);
    loop.received(THERE, new byte[] {1, 2, 3});
    says(loop, new Envelope(Envelope.Kind.REQUEST, 1, Bytes.of("nonsense")));
    await().until(() -> sent(Envelope.Kind.ANSWER).size() == 1);
    assertEquals("message.unknown", code(answer(0)));
  }

  @Test
  void foreignCodeThatThrowsHarmsNobodyElse() {
    BusLoop loop = loop(1, Role.AGENT);
    PeerListener bad =
        new PeerListener() {
          @Override
          public void peerUp(Peer peer) {
            throw new IllegalStateException("as the test wants it");
          }

          @Override
          public void peerDown(Peer peer, Fault reason) {
            throw new IllegalStateException("as the test wants it");
          }
        };
    Listener good = new Listener();
    loop.addListener(bad);
    loop.addListener(good);
    loop.addHandler(
        handler(
            (from, answer) -> {
              throw new IllegalStateException("as the test wants it");
            }));
    meet(loop, OTHER);
    says(loop, request(1), request(2), Envelope.of(Envelope.Kind.GOODBYE));
    await().until(() -> good.heard.equals(List.of("up dddddddd", "down dddddddd")));
    meet(loop, new NodeId("ee".repeat(32)));
    Envelope third = request(3);
    loop.received(THERE, codec.encode(new Frame(new NodeId("ee".repeat(32)), 1, List.of(third))));
    await().until(() -> sent(Envelope.Kind.ANSWER).size() == 1);
    assertEquals("peer.failed", code(answer(0)));
  }

  @Test
  void anAnswerCompletesARequestAndNumbersAreNotUsedAgain() throws Exception {
    BusLoop loop = loop(1, Role.MANAGER);
    meet(loop, OTHER);
    var future = loop.request(OTHER, QUESTION, Duration.ofSeconds(5)).toCompletableFuture();
    await().until(() -> sent(Envelope.Kind.REQUEST).size() == 1);
    long id = sent(Envelope.Kind.REQUEST).get(0).id();
    Bytes done = codec.encode(new Message.Done());
    says(loop, new Envelope(Envelope.Kind.ANSWER, id, done));
    assertEquals(new Message.Done(), future.get(5, TimeUnit.SECONDS));

    BusLoop next = loop(2, Role.MANAGER);
    meet(next, OTHER);
    var waits = next.request(OTHER, QUESTION, Duration.ofSeconds(60)).toCompletableFuture();
    await().until(() -> sent(Envelope.Kind.REQUEST).stream().anyMatch(sent -> sent.id() > id));
    says(next, new Envelope(Envelope.Kind.ANSWER, id, done));
    next.stop();
    assertEquals("peer.down", code(waits.get(5, TimeUnit.SECONDS)));
  }

  @Test
  void aMessageThatIsTooLongIsRefused() throws Exception {
    BusLoop loop = loop(1, Role.MANAGER);
    var attempts = Collections.nCopies(4_000, ATTEMPT);
    Message answer =
        loop.request(OTHER, new Message.Withdraw(attempts), SECOND)
            .toCompletableFuture()
            .get(5, TimeUnit.SECONDS);
    assertEquals("message.too-long", code(answer));
  }

  @Test
  void whoStopsSaysGoodbye() {
    BusLoop loop = loop(1, Role.AGENT);
    meet(loop, OTHER);
    loop.stop();
    assertEquals(1, sent(Envelope.Kind.GOODBYE).size());
    assertTrue(loop.peer(OTHER).isPresent(), "what it last knew");
  }

  /** Keeps what it hears. */
  private static final class Listener implements PeerListener {
    final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public void peerUp(Peer peer) {
      heard.add("up " + peer.id());
    }

    @Override
    public void peerDown(Peer peer, Fault reason) {
      heard.add("down " + peer.id());
    }
  }
}
