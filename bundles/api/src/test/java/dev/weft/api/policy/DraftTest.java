package dev.weft.api.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weft.api.Amount;
import dev.weft.api.AttemptId;
import dev.weft.api.Demand;
import dev.weft.api.JobId;
import dev.weft.api.NodeId;
import dev.weft.api.ResourceType;
import dev.weft.api.Resources;
import dev.weft.api.TaskId;
import dev.weft.api.policy.PlacementPolicy.Decision;
import dev.weft.api.policy.PlacementPolicy.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DraftTest {
  private static final Comparator<NodeView> MOST_CORES_FIRST =
      Comparator.<NodeView>comparingLong(node -> cores(node))
          .reversed()
          .thenComparing(NodeView::id);

  @Test
  void whatIsProposedIsGivenAwayBeforeTheNextRequest() {
    Draft draft = new Draft(pool(4, 3), MOST_CORES_FIRST);
    List<Decision> decisions =
        draft.serve(List.of(request(0, 2), request(1, 2), request(2, 2)), firstOf(draft));
    assertEquals(List.of(id(0), id(1), id(0)), nodes(decisions));
    assertEquals(List.of(1L, 0L), draft.nodes().map(DraftTest::cores).toList());
  }

  @Test
  void aGangThatDoesNotFitGivesBackWhatItTook() {
    Draft draft = new Draft(pool(4, 3), MOST_CORES_FIRST);
    List<Decision> decisions =
        draft.serve(
            List.of(gang(0, 2, 5), request(1, 1), gang(2, 2, 5), gang(3, 9, 5), gang(4, 3, 6)),
            firstOf(draft));
    Map<NodeId, Refusal> why = Map.of(id(0), new Refusal("test", "too small"));
    assertEquals(
        List.of(
            new Decision.NoNode(attempt(0), why),
            new Decision.NoNode(attempt(2), why),
            new Decision.NoNode(attempt(3), why)),
        List.of(decisions.get(0), decisions.get(2), decisions.get(3)));
    // Both came after the gang, which had taken from both nodes.
    assertEquals(List.of(id(0), id(0)), nodes(List.of(decisions.get(1), decisions.get(4))));
    assertEquals(List.of(3L, 0L), draft.nodes().map(DraftTest::cores).toList());
  }

  @Test
  void candidatesAreFirstThenTheOrderThenLast() {
    Draft draft = new Draft(pool(1, 2, 3, 4, 5), MOST_CORES_FIRST);
    Request request =
        new Request(
            attempt(0),
            demand(1),
            OptionalLong.empty(),
            Optional.of(id(0)),
            Set.of(id(4), id(0), id(3), id(77)));
    assertEquals(
        List.of(id(0), id(2), id(1), id(4), id(3)),
        draft.candidates(request).map(NodeView::id).toList());
    assertEquals(
        List.of(id(4), id(3), id(2), id(1), id(0)),
        draft.candidates(request(0, 1)).map(NodeView::id).toList());
  }

  @Test
  void aProposalThatDoesNotFitIsAMistakeOfThePolicy() {
    Draft draft = new Draft(pool(1), MOST_CORES_FIRST);
    for (NodeId unfit : List.of(id(0), id(1))) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              draft.serve(
                  List.of(request(0, 2)),
                  request -> new Decision.Proposal(request.attempt(), unfit, "", Map.of())));
    }
  }

  @Test
  void anOrderMustTellNodesApart() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Draft(pool(1, 1), Comparator.comparingLong(DraftTest::cores)));
  }

  private static Function<Request, Decision> firstOf(Draft draft) {
    return request ->
        draft
            .candidates(request)
            .filter(node -> node.free().covers(request.demand().resources()))
            .findFirst()
            .<Decision>map(
                node -> new Decision.Proposal(request.attempt(), node.id(), "first", Map.of()))
            .orElseGet(
                () ->
                    new Decision.NoNode(
                        request.attempt(), Map.of(id(0), new Refusal("test", "too small"))));
  }

  private static List<NodeId> nodes(List<Decision> decisions) {
    return decisions.stream().map(decision -> ((Decision.Proposal) decision).node()).toList();
  }

  private static long cores(NodeView node) {
    return node.free().total(ResourceType.CPU) / 1000;
  }

  private static PoolView pool(long... cores) {
    List<NodeView> nodes = new ArrayList<>();
    for (int i = 0; i < cores.length; i++) {
      Resources free = demand(cores[i]).resources();
      nodes.add(new NodeView(id(i), "node-" + i, free, free, new TreeMap<>(Map.of()), 0));
    }
    return new PoolView() {
      @Override
      public Collection<NodeView> nodes() {
        return nodes;
      }

      @Override
      public Optional<NodeView> node(NodeId id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
      }
    };
  }

  private static Demand demand(long cores) {
    return Demand.of(Resources.ree(Amount.of(cores * 1000, 0, 0)));
  }

  private static Request request(int index, long cores) {
    return new Request(attempt(index), demand(cores));
  }

  private static Request gang(int index, long cores, long gang) {
    return new Request(
        attempt(index), demand(cores), OptionalLong.of(gang), Optional.empty(), Set.of());
  }

  private static AttemptId attempt(int index) {
    return new AttemptId(new TaskId(new JobId("0".repeat(32)), index), 1);
  }

  private static NodeId id(int number) {
    return new NodeId(String.format("%064x", number));
  }
}
