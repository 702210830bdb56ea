package dev.weft.resources;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Fault;
import dev.weft.api.JobId;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.message.Message;
import dev.weft.core.resources.Authority;
import dev.weft.core.resources.NodeStatus;
import dev.weft.core.resources.Placement;
import dev.weft.testkit.policy.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Drives a {@link ResourceCore} in a test: one call for what takes an event and its answer. */
final class Manager {
  static final Fault GONE = new Fault("peer.down", Fault.Category.EXTERNAL, "gone", true);

  final ResourceCore core;
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long questions;
  private List<ResourceEffect.Cancel> sent = new ArrayList<>();

  Manager(ResourceSettings settings) {
    core = new ResourceCore(settings, Pool.id(99), new Authority("test", 1));
  }

  /** One whose policy is an order without weights. */
  static Manager byOrder(ResourceSettings settings) {
    Manager manager = new Manager(settings);
    manager.policy("order 1", Optional.of(NodeOrder.NONE));
    return manager;
  }

  void policy(String stamp, Optional<NodeOrder> order) {
    handle(new ResourceEvent.PolicyChanged(Optional.of(new ResourceEvent.Policy(stamp, order))));
  }

  List<ResourceEffect> handle(ResourceEvent event) {
    List<ResourceEffect> effects = core.handle(event, now);
    sent.addAll(cancels(effects));
    return effects;
  }

  /** Every cancellation since the last call. */
  List<ResourceEffect.Cancel> takeCancels() {
    sent.addAll(cancels(core.tick(now)));
    List<ResourceEffect.Cancel> taken = sent;
    sent = new ArrayList<>();
    return taken;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  void up(FakeNode node) {
    handle(new ResourceEvent.PeerUp(node.peer()));
  }

  void down(FakeNode node) {
    handle(new ResourceEvent.PeerDown(node.peer(), GONE));
  }

  /** A node comes and reports. */
  FakeNode join(int number, Resources offered) {
    FakeNode node = new FakeNode(number, offered);
    up(node);
    report(node);
    return node;
  }

  Message.Reported report(FakeNode node) {
    Message.Reported answer = report(node, node.report());
    node.answered(answer);
    return answer;
  }

  Message.Reported report(FakeNode node, Message.Report report) {
    List<Message> answers = new ArrayList<>();
    for (ResourceEffect effect :
        handle(new ResourceEvent.Reported(Pool.id(node.number), report, answers::add))) {
      if (effect instanceof ResourceEffect.Reply<?> reply) {
        reply.send();
      }
    }
    return assertInstanceOf(Message.Reported.class, answers.get(0));
  }

  List<Placement> place(Request... requests) {
    List<ResourceEffect> effects = handle(new ResourceEvent.Asked(++questions, List.of(requests)));
    return answer(effects).placements();
  }

  Placement place(int task, Resources resources) {
    return place(request(task, resources)).get(0);
  }

  Placement.Placed placed(int task, Resources resources) {
    return assertInstanceOf(Placement.Placed.class, place(task, resources));
  }

  Placement.NotPlaced refused(int task, Resources resources) {
    return assertInstanceOf(Placement.NotPlaced.class, place(task, resources));
  }

  static ResourceEffect.Answer answer(List<ResourceEffect> effects) {
    return effects.stream()
        .filter(ResourceEffect.Answer.class::isInstance)
        .map(ResourceEffect.Answer.class::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no answer in " + effects));
  }

  static List<ResourceEffect.Cancel> cancels(List<ResourceEffect> effects) {
    return effects.stream()
        .filter(ResourceEffect.Cancel.class::isInstance)
        .map(ResourceEffect.Cancel.class::cast)
        .toList();
  }

  NodeStatus status(FakeNode node) {
    return core.status(Pool.id(node.number)).orElseThrow();
  }

  static Request request(int task, Resources resources) {
    return new Request(attempt(task), Demand.of(resources));
  }

  static AttemptId attempt(int task) {
    return new AttemptId(new TaskId(new JobId("a".repeat(32)), task), 1);
  }
}
