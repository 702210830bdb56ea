package dev.weft.resources.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.Environment;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.NodeOrder;
import dev.weft.api.policy.NodeView;
import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.api.policy.Refusal;
import dev.weft.testkit.policy.Pool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The pool compared with a map of nodes that are sorted and tried one by one. */
class PoolTreeProperties {
  private static final AttemptId ATTEMPT =
      new AttemptId(new TaskId(new JobId("0".repeat(32)), 0), 1);
  private static final Environment SGX = new Environment("sgx");
  private static final Environment TDX = new Environment("tdx");
  private static final ResourceType FPGA = new ResourceType("fpga");
  private static final ResourceType LICENCE = new ResourceType("licence");
  private static final int NODES = 12;
  private static final int MOST_STEPS = 40;

  /** One change of the pool. */
  interface Step {
    PoolTree apply(PoolTree tree, Model model);
  }

  /** The pool as it could be written without a tree. */
  private static final class Model {
    final NodeOrder order;
    final NavigableMap<NodeId, NodeView> nodes = new TreeMap<>();
    final List<Map.Entry<NodeId, Resources>> placed = new ArrayList<>();

    Model(NodeOrder order) {
      this.order = order;
    }

    Optional<NodeId> first(Request request) {
      List<NodeView> sorted = new ArrayList<>(nodes.values());
      sorted.sort(order.comparator());
      List<NodeView> tried = new ArrayList<>();
      request.first().map(nodes::get).ifPresent(tried::add);
      sorted.stream().filter(node -> !request.last().contains(node.id())).forEach(tried::add);
      sorted.stream().filter(node -> request.last().contains(node.id())).forEach(tried::add);
      return tried.stream()
          .filter(node -> Refusal.check(request.demand(), node, node.free()).isEmpty())
          .map(NodeView::id)
          .findFirst();
    }

    List<Resources.Lack> shortages(Demand demand) {
      List<Resources.Lack> lacks = new ArrayList<>();
      for (var wanted : demand.resources().perEnvironment().entrySet()) {
        for (var type : wanted.getValue().asMap().entrySet()) {
          boolean idle =
              type.getKey().equals(ResourceType.GPU_MEMORY)
                  && wanted.getValue().get(ResourceType.GPU) == 0;
          long most =
              nodes.values().stream()
                  .mapToLong(
                      node ->
                          node.free()
                              .in(wanted.getKey())
                              .available(type.getKey(), wanted.getValue()))
                  .max()
                  .orElse(0);
          if (!idle && most < type.getValue()) {
            lacks.add(new Resources.Lack(wanted.getKey(), type.getKey(), type.getValue(), most));
          }
        }
      }
      return lacks;
    }
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void isLikeASortedList(
      @ForAll("orders") NodeOrder order,
      @ForAll("steps") List<Step> steps,
      @ForAll("requests") Request request,
      @ForAll("orders") NodeOrder other) {
    Model model = new Model(order);
    PoolTree tree = PoolTree.empty(order);
    List<PoolTree> versions = new ArrayList<>();
    List<List<NodeView>> contents = new ArrayList<>();
    List<Optional<NodeId>> answers = new ArrayList<>();
    for (Step step : steps) {
      tree = step.apply(tree, model);
      check(tree, model, request);
      versions.add(tree);
      contents.add(List.copyOf(model.nodes.values()));
      answers.add(model.first(request));
    }
    for (int i = 0; i < versions.size(); i++) {
      assertEquals(contents.get(i), List.copyOf(versions.get(i).nodes()));
      assertEquals(answers.get(i), found(versions.get(i), request));
    }
    Model turned = new Model(other);
    turned.nodes.putAll(model.nodes);
    check(tree.withOrder(other), turned, request);
  }

  private static void check(PoolTree tree, Model model, Request request) {
    assertEquals(List.copyOf(model.nodes.values()), List.copyOf(tree.nodes()));
    assertEquals(model.nodes.size(), tree.size());
    for (int i = 0; i < NODES; i++) {
      assertEquals(Optional.ofNullable(model.nodes.get(Pool.id(i))), tree.node(Pool.id(i)));
    }
    assertEquals(model.first(request), found(tree, request));
    tree.first(request)
        .ifPresent(found -> assertEquals(model.order.rank(found.node().free()), found.rank()));
    assertEquals(model.shortages(request.demand()), tree.shortages(request.demand()));
    Map<NodeId, Optional<Refusal>> reasons = new HashMap<>();
    model.nodes.forEach(
        (id, node) -> reasons.put(id, Refusal.check(request.demand(), node, node.free())));
    assertEquals(reasons, tree.explain(request.demand()));
  }

  private static Optional<NodeId> found(PoolTree tree, Request request) {
    return tree.first(request).map(found -> found.node().id());
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Step> put =
        nodes()
            .map(
                node ->
                    (tree, model) -> {
                      model.nodes.put(node.id(), node);
                      return tree.with(node);
                    });
    Arbitrary<Step> place = requests().map(request -> (tree, model) -> place(request, tree, model));
    Arbitrary<Step> release =
        Arbitraries.integers()
            .between(0, MOST_STEPS)
            .map(index -> (tree, model) -> release(index, tree, model));
    Arbitrary<Step> remove =
        ids()
            .map(
                id ->
                    (tree, model) -> {
                      model.nodes.remove(id);
                      return tree.without(id);
                    });
    return Arbitraries.frequencyOf(
            Tuple.of(6, put), Tuple.of(6, place), Tuple.of(3, release), Tuple.of(1, remove))
        .list()
        .ofMaxSize(MOST_STEPS);
  }

  private static PoolTree place(Request request, PoolTree tree, Model model) {
    assertEquals(model.first(request), found(tree, request));
    return tree.first(request)
        .map(
            found -> {
              NodeView node = found.node();
              Resources taken = node.free().allocate(request.demand().resources()).orElseThrow();
              NodeView left = node.withFree(node.free().minusAtMost(taken));
              model.nodes.put(node.id(), left);
              model.placed.add(Map.entry(node.id(), taken));
              return tree.with(left);
            })
        .orElse(tree);
  }

  private static PoolTree release(int index, PoolTree tree, Model model) {
    if (index >= model.placed.size()) {
      return tree;
    }
    var placed = model.placed.remove(index);
    Optional<NodeView> node = tree.node(placed.getKey());
    if (node.isEmpty()) {
      return tree;
    }
    NodeView more = node.get().withFree(node.get().free().plus(placed.getValue()));
    model.nodes.put(more.id(), more);
    return tree.with(more);
  }

  private static Arbitrary<NodeId> ids() {
    return Arbitraries.integers().between(0, NODES - 1).map(Pool::id);
  }

  private static Arbitrary<NodeView> nodes() {
    return Combinators.combine(ids(), free(), labels())
        .as((id, free, labels) -> new NodeView(id, "node", free, free, labels, 0));
  }

  private static Arbitrary<Resources> free() {
    Arbitrary<List<Long>> shares = Arbitraries.of(0L, 300L, 500L, 1000L).list().ofMaxSize(3);
    Arbitrary<List<Long>> memories = Arbitraries.of(0L, 8L, 16L).list().ofSize(3);
    Arbitrary<Amount> ordinary =
        Combinators.combine(few(), few(), shares, memories, rarely(), rarely())
            .as(
                (cpu, memory, share, gpuMemory, fpga, licence) -> {
                  Map<ResourceType, Long> amounts = new HashMap<>();
                  amounts.put(ResourceType.CPU, 1000 * cpu);
                  amounts.put(ResourceType.MEMORY, memory);
                  amounts.put(FPGA, fpga);
                  amounts.put(LICENCE, licence);
                  for (int i = 0; i < share.size(); i++) {
                    amounts.put(ResourceType.gpu(i), share.get(i));
                    amounts.put(ResourceType.gpuMemory(i), gpuMemory.get(i));
                  }
                  return Amount.of(amounts);
                });
    return environments(ordinary);
  }

  private static Arbitrary<Resources> environments(Arbitrary<Amount> ordinary) {
    return Combinators.combine(ordinary, rarely(), rarely(), rarely())
        .as(
            (amount, sgx, tdx, gpu) -> {
              SortedMap<Environment, Amount> all = new TreeMap<>(Map.of(Environment.REE, amount));
              all.put(SGX, Amount.of(sgx, sgx, 0));
              all.put(
                  TDX, Amount.of(Map.of(ResourceType.CPU, tdx, ResourceType.gpu(0), 500 * gpu)));
              return new Resources(all);
            });
  }

  private static Arbitrary<Long> few() {
    return Arbitraries.longs().between(0, 4);
  }

  private static Arbitrary<Long> rarely() {
    return Arbitraries.of(0L, 0L, 0L, 0L, 1L, 2L);
  }

  private static Arbitrary<SortedMap<String, String>> labels() {
    return Arbitraries.of(Map.<String, String>of(), Map.of("site", "roof"), Map.of("site", "yard"))
        .map(TreeMap::new);
  }

  @Provide
  Arbitrary<Request> requests() {
    return Combinators.combine(demands(), ids().optional(0.2), ids().set().ofMaxSize(3))
        .as(
            (demand, first, last) ->
                new Request(ATTEMPT, demand, OptionalLong.empty(), first, Set.copyOf(last)));
  }

  private static Arbitrary<Demand> demands() {
    Arbitrary<Amount> ordinary =
        Combinators.combine(
                few(),
                few(),
                Arbitraries.of(0L, 0L, 0L, 200L, 400L, 500L, 1000L, 1500L, 2000L),
                Arbitraries.of(0L, 0L, 4L, 8L, 12L),
                rarely(),
                Arbitraries.of(0L, 0L, 0L, 0L, 0L, 500L))
            .as(
                (cpu, memory, gpu, gpuMemory, fpga, named) ->
                    Amount.of(
                        Map.of(
                            ResourceType.CPU,
                            500 * cpu,
                            ResourceType.MEMORY,
                            memory,
                            ResourceType.GPU,
                            gpu,
                            ResourceType.GPU_MEMORY,
                            gpuMemory,
                            FPGA,
                            fpga,
                            ResourceType.gpu(1),
                            named)));
    Arbitrary<Amount> trusted =
        Combinators.combine(rarely(), rarely())
            .as(
                (cpu, gpu) ->
                    Amount.of(Map.of(ResourceType.CPU, cpu, ResourceType.GPU, 250 * gpu)));
    return Combinators.combine(ordinary, Arbitraries.of(SGX, TDX), trusted, labels())
        .as(
            (amount, environment, trust, labels) ->
                new Demand(
                    new Resources(
                        new TreeMap<>(Map.of(Environment.REE, amount, environment, trust))),
                    labels));
  }

  @Provide
  Arbitrary<NodeOrder> orders() {
    return Arbitraries.maps(
            Arbitraries.of(
                ResourceType.CPU,
                ResourceType.MEMORY,
                ResourceType.GPU,
                ResourceType.GPU_MEMORY,
                FPGA),
            Combinators.combine(
                    Arbitraries.of(-2.0, -1.0, -0.3, 0.0, 0.1, 1.0, 3.0),
                    Arbitraries.of(1.0, 3.0, 1000.0))
                .as(NodeOrder.Weight::new))
        .map(weights -> new NodeOrder(new TreeMap<>(weights)));
  }
}
