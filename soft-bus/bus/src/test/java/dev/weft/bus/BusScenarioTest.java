package dev.weft.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.api.AttemptId;
import dev.weft.api.Bytes;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.TaskId;
import dev.weft.api.bus.Role;
import dev.weft.core.bus.BusStatus.SightingStatus;
import dev.weft.core.message.Message;
import dev.weft.testkit.VirtualClock;
import dev.weft.testkit.network.Faults;
import dev.weft.testkit.network.FaultyNetwork;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What happens to a manager and an agent in one situation after the other. */
class BusScenarioTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration BEAT = SimulatedNode.LEASE.dividedBy(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final VirtualClock clock = new VirtualClock();
  private final FaultyNetwork network = new FaultyNetwork(7, clock);

  private SimulatedNode manager(int... parts) {
    return new SimulatedNode(network, clock, 1, 1, Role.MANAGER, parts);
  }

  private SimulatedNode agent(long boot, int... parts) {
    return new SimulatedNode(network, clock, 2, boot, Role.AGENT, parts);
  }

  private static boolean isUp(SimulatedNode one, SimulatedNode other) {
    return one.bus.peer(other.self.id()).filter(p -> p.boot() == other.self.boot()).isPresent();
  }

  private CompletableFuture<Message> ask(SimulatedNode by, SimulatedNode of, long token) {
    return by.bus.request(of.self.id(), SimulatedNode.request(token), LONG).toCompletableFuture();
  }

  private static Fault fault(CompletableFuture<Message> answer) {
    assertTrue(answer.isDone(), "no answer yet");
    return assertInstanceOf(Message.Failed.class, answer.join()).fault();
  }

  private static void isAnswered(CompletableFuture<Message> answer, long token) {
    assertTrue(answer.isDone(), "no answer yet");
    assertEquals(token, assertInstanceOf(Message.LogChunk.class, answer.join()).offset());
  }

  @Test
  void nodesThatSeeEachOtherArePeersAtOnce() {
    SimulatedNode manager = manager(1).discover("00000001");
    network.run(SECOND);
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(Duration.ofMillis(100));
    assertTrue(isUp(manager, agent));
    assertTrue(isUp(agent, manager));
    assertEquals("memory", manager.up.get(agent.self.id()).via());
  }

  @Test
  void aConfiguredManagerIsFoundWithoutDiscoveryHoweverLateItComes() {
    SimulatedNode agent = agent(1, 1);
    SimulatedNode absent = manager(1);
    agent.configure(absent);
    absent.crash();
    network.run(Duration.ofMinutes(5));
    SimulatedNode manager = manager(1);
    network.run(Duration.ofSeconds(6));
    assertTrue(isUp(agent, manager));
    assertTrue(isUp(manager, agent));
    assertEquals("address", agent.up.get(manager.self.id()).via());
    assertEquals("incoming", manager.up.get(agent.self.id()).via());
  }

  @Test
  void quietPeersStayPeersAndSayLittle() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(Duration.ofMinutes(10));
    assertTrue(isUp(manager, agent) && isUp(agent, manager));
    assertEquals(0, manager.wentDown.size() + agent.wentDown.size());
    long frames = network.carried();
    network.run(Duration.ofMinutes(1));
    long beats = Duration.ofMinutes(1).dividedBy(BEAT) * 2;
    assertTrue(network.carried() - frames <= beats + 2, "too talkative");
  }

  @Test
  void twoOfTheSameRoleLeaveEachOtherAlone() {
    SimulatedNode one = manager(1).discover("00000001");
    new SimulatedNode(network, clock, 3, 1, Role.MANAGER, 1).discover("00000003");
    network.run(Duration.ofSeconds(30));
    assertEquals(List.of(), one.bus.peers());
    assertEquals(
        List.of("has the same role as this node", "this node"),
        one.bus.sightings().stream().map(SightingStatus::state).sorted().toList());
    assertEquals(0, network.carried());
  }

  @Test
  void aGoodbyeIsHeardWithinASecond() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.handling = LONG;
    CompletableFuture<Message> answer = ask(manager, agent, 1);
    network.run(SECOND);
    agent.leave();
    network.run(SECOND);
    assertFalse(isUp(manager, agent));
    assertEquals("peer.down", fault(answer).code());
    network.run(LONG);
    assertFalse(isUp(manager, agent), "a node that left came back");
  }

  @Test
  void aHelloThatComesAfterTheGoodbyeBringsNobodyBack() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.leave();
    network.run(SECOND);
    WireCodec codec = new WireCodec();
    Greeting greeting = new Greeting("node2", agent.self.roles(), 10_000);
    Envelope hello = new Envelope(Envelope.Kind.HELLO, 0, codec.encode(greeting));
    InetSocketAddress from =
        new InetSocketAddress(agent.self.addresses().get(0), SimulatedNode.PORT);
    manager.bus.received(from, codec.encode(new Frame(agent.self.id(), 1, List.of(hello))));
    network.run(SECOND);
    assertEquals(List.of(), manager.bus.peers(), "this boot is over");
    manager.bus.received(from, codec.encode(new Frame(agent.self.id(), 2, List.of(hello))));
    network.run(SECOND);
    assertEquals(1, manager.bus.peers().size(), "the next boot is welcome");
  }

  @Test
  void aDeadNodeGoesWhenItsLeaseEnds() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(Duration.ofSeconds(3));
    agent.crash();
    network.run(SimulatedNode.LEASE.minus(BEAT).minus(SECOND));
    assertTrue(isUp(manager, agent), "gone too early");
    network.run(BEAT.multipliedBy(2).plus(SECOND));
    assertFalse(isUp(manager, agent), "still there");
  }

  @Test
  void aRestartedNodeReplacesItselfAndFailsWhatWasAskedBefore() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.handling = LONG;
    CompletableFuture<Message> answer = ask(manager, agent, 1);
    network.run(SECOND);
    agent.crash();
    SimulatedNode again = agent(2, 1).discover("00000012");
    network.run(Duration.ofSeconds(2));
    assertTrue(isUp(manager, again));
    assertEquals("peer.restarted", fault(answer).code());
    assertEquals(0, manager.wentDown.size(), "a restart is no loss");
    isAnswered(askAndRun(manager, again, 2), 2);
  }

  private CompletableFuture<Message> askAndRun(SimulatedNode by, SimulatedNode of, long token) {
    CompletableFuture<Message> answer = ask(by, of, token);
    network.run(SECOND);
    return answer;
  }

  @Test
  void aLateWordOfAnEarlierLifeChangesNothing() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(2, 1);
    agent.configure(manager);
    network.run(SECOND);
    SimulatedNode old = new SimulatedNode(network, clock, 2, 1, Role.AGENT, 2);
    old.configure(manager);
    old.leave();
    network.run(SECOND);
    assertTrue(isUp(manager, agent));
    assertEquals(0, manager.wentDown.size());
  }

  @Test
  void aLostLinkLosesThePeerAndItComesBackWhenTheLinkDoes() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    network.unplug(agent.self.addresses().get(0));
    network.run(Duration.ofSeconds(40));
    assertFalse(isUp(manager, agent) || isUp(agent, manager));
    network.plug(agent.self.addresses().get(0));
    network.run(Duration.ofSeconds(6));
    assertTrue(isUp(manager, agent) && isUp(agent, manager));
  }

  @Test
  void theOtherAddressIsUsedWhenOneFails() {
    SimulatedNode manager = manager(1, 2).discover("00000001");
    SimulatedNode agent = agent(1, 1, 2).discover("00000002");
    network.run(SECOND);
    byte first = manager.up.get(agent.self.id()).address().getAddress().getAddress()[1];
    network.unplug(FaultyNetwork.address(first, 2));
    network.run(Duration.ofSeconds(9));
    assertEquals(0, manager.wentDown.size() + agent.wentDown.size(), "lost in spite of two links");
    byte second = manager.up.get(agent.self.id()).address().getAddress().getAddress()[1];
    assertEquals(3, first + second, "still at the dead address");
    isAnswered(askAndRun(manager, agent, 1), 1);
    isAnswered(askAndRun(agent, manager, 2), 2);
  }

  @Test
  void aProcessThatStoodStillLosesItsPeersAndFindsThemAgain() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.pause();
    network.run(Duration.ofSeconds(30));
    assertFalse(isUp(manager, agent), "silent for 30 s");
    agent.resume();
    assertTrue(agent.wentDown.containsKey(manager.self.id()), "peers are not taken on trust");
    network.run(Duration.ofSeconds(6));
    assertTrue(isUp(manager, agent) && isUp(agent, manager));
    isAnswered(askAndRun(manager, agent, 1), 1);
  }

  @Test
  void aRequestIsHandledOnceHoweverOftenItIsRepeated() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    network.faults(new Faults(0.6, 0.5, Duration.ofMillis(1), Duration.ofMillis(900)));
    List<CompletableFuture<Message>> answers = new ArrayList<>();
    for (long token = 0; token < 50; token++) {
      answers.add(ask(manager, agent, token));
    }
    network.run(LONG.plus(SECOND));
    assertEquals(List.of(), agent.wrong);
    long answered = answers.stream().filter(a -> a.join() instanceof Message.LogChunk).count();
    assertTrue(answered > 25, answered + " of 50 answered");
  }

  @Test
  void aRequestIsHandledOnceEvenIfOneSideLostTheOtherMeanwhile() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.handling = SimulatedNode.LEASE.plusMillis(500); // answers while the manager is lost
    CompletableFuture<Message> answer = ask(manager, agent, 1);
    network.run(Duration.ofMillis(100));
    assertEquals(1, agent.handled.size());
    // The manager is silent for so long that the agent gives it up, but it hears the agent.
    network.mute(manager.self.addresses().get(0));
    network.run(SimulatedNode.LEASE.plus(SECOND));
    assertTrue(agent.wentDown.containsKey(manager.self.id()));
    assertFalse(answer.isDone());
    network.plug(manager.self.addresses().get(0));
    network.run(Duration.ofSeconds(12));
    assertEquals(List.of(), agent.wrong);
    isAnswered(answer, 1);
  }

  @Test
  void tooManyRequestsAreRefusedAtOnce() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.handling = LONG;
    List<CompletableFuture<Message>> answers = new ArrayList<>();
    for (long token = 0; token < Requests.MAXIMUM_PER_PEER; token++) {
      answers.add(ask(manager, agent, token));
    }
    CompletableFuture<Message> tooMuch = ask(manager, agent, 5_000);
    network.run(Duration.ofMillis(10));
    assertEquals("bus.full", fault(tooMuch).code());
    assertTrue(fault(tooMuch).retry());
    assertTrue(answers.stream().noneMatch(CompletableFuture::isDone));
    network.run(LONG.plus(SECOND));
    assertTrue(answers.stream().allMatch(CompletableFuture::isDone));
    agent.handling = Duration.ZERO;
    isAnswered(askAndRun(manager, agent, 6_000), 6_000);
  }

  @Test
  void noAnswerInTimeIsSaid() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.handling = Duration.ofMinutes(2);
    CompletableFuture<Message> answer = ask(manager, agent, 1);
    network.run(LONG.minus(SECOND));
    assertFalse(answer.isDone());
    network.run(SECOND.multipliedBy(2));
    assertEquals("peer.silent", fault(answer).code());
    network.run(Duration.ofMinutes(3));
    agent.handling = Duration.ZERO;
    isAnswered(askAndRun(manager, agent, 2), 2);
  }

  @Test
  void whatNobodyServesAndWhatIsTooLongIsSaid() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    CompletableFuture<Message> unserved =
        manager.bus.request(agent.self.id(), new Message.Done(), LONG).toCompletableFuture();
    AttemptId attempt = new AttemptId(new TaskId(new JobId("f".repeat(32)), 999_999), 1);
    CompletableFuture<Message> tooLong =
        manager
            .bus
            .request(
                agent.self.id(), new Message.Withdraw(Collections.nCopies(4_000, attempt)), LONG)
            .toCompletableFuture();
    CompletableFuture<Message> nobody =
        manager
            .bus
            .request(SimulatedNode.id(99), SimulatedNode.request(1), LONG)
            .toCompletableFuture();
    network.run(SECOND);
    assertEquals("message.unserved", fault(unserved).code());
    assertEquals("message.too-long", fault(tooLong).code());
    assertEquals("peer.down", fault(nobody).code());
  }

  @Test
  void aHandlerThatFailsDoesNotStopTheBus() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    agent.broken = true;
    assertEquals("peer.failed", fault(askAndRun(manager, agent, 1)).code());
    agent.broken = false;
    isAnswered(askAndRun(manager, agent, 2), 2);
  }

  @Test
  void garbageAndStrangersAreNoTrouble() {
    SimulatedNode manager = manager(1).discover("00000001");
    SimulatedNode agent = agent(1, 1).discover("00000002");
    network.run(SECOND);
    var nowhere = new InetSocketAddress(FaultyNetwork.address(9, 9), 9);
    manager.bus.received(nowhere, new byte[] {1, 2, 3});
    Frame frame =
        new Frame(
            SimulatedNode.id(77),
            3,
            List.of(
                Envelope.of(Envelope.Kind.HEARTBEAT),
                Envelope.of(Envelope.Kind.GOODBYE),
                new Envelope(Envelope.Kind.REQUEST, 5, Bytes.of("x")),
                new Envelope(Envelope.Kind.ANSWER, 5, Bytes.of("x")),
                new Envelope(Envelope.Kind.HELLO, 0, Bytes.of("x")),
                Envelope.of(Envelope.Kind.STRANGER)));
    manager.bus.received(nowhere, new WireCodec().encode(frame));
    network.run(SECOND);
    assertEquals(1, manager.bus.peers().size());
    isAnswered(askAndRun(manager, agent, 1), 1);
  }
}
