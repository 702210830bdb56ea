package dev.weft.scheduler.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weft.core.job.JobView;
import dev.weft.core.job.TaskView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables, and the diagrams in the documentation that are made of them. */
class StatesTest {
  // Maven runs tests in the folder of their module.
  private static final Path DOCUMENT = Path.of("../../docs/states.md");

  /** Set to write the diagrams instead of comparing them. */
  private static final String WRITE = "weft.write.states";

  @Test
  void theDiagramsInTheDocumentAreThoseOfTheTables() throws IOException {
    String text = Files.readString(DOCUMENT);
    String made = put(text, "Jobs", JobStates.TABLE.diagram());
    made = put(made, "Tasks", TaskStates.TABLE.diagram());
    made = put(made, "Attempts", AttemptStates.TABLE.diagram());
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(DOCUMENT, made);
    } else {
      assertEquals(
          made, text, "run this test with -D" + WRITE + "=true to bring the document up to date");
    }
  }

  private static String put(String text, String chapter, String diagram) {
    Matcher matcher =
        Pattern.compile("(## " + chapter + "\n.*?```mermaid\n).*?(```)", Pattern.DOTALL)
            .matcher(text);
    assertTrue(matcher.find(), "no diagram in the chapter " + chapter);
    return text.substring(0, matcher.end(1)) + diagram + text.substring(matcher.start(2));
  }

  @Test
  void everyStateIsReachedAndOnlyFinalOnesHaveNoWayOut() {
    assertEquals(
        EnumSet.allOf(JobView.State.class), reached(JobStates.TABLE, JobStates.Event.values()));
    assertEquals(
        EnumSet.allOf(TaskView.State.class), reached(TaskStates.TABLE, TaskStates.Event.values()));
    assertEquals(
        EnumSet.allOf(TaskView.AttemptState.class),
        reached(AttemptStates.TABLE, AttemptStates.Event.values()));
    for (JobView.State state : JobView.State.values()) {
      boolean leaves =
          Set.of(JobStates.Event.values()).stream()
              .anyMatch(event -> JobStates.TABLE.find(state, event).isPresent());
      assertEquals(!state.isFinal(), leaves, state.name());
    }
  }

  private static <S extends Enum<S>, E extends Enum<E>> Set<S> reached(
      TransitionTable<S, E> table, E[] events) {
    Set<S> reached = EnumSet.of(table.initial());
    Deque<S> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      S state = open.poll();
      for (E event : events) {
        Optional<S> next = table.find(state, event);
        if (next.isPresent() && reached.add(next.get())) {
          open.add(next.get());
        }
      }
    }
    return reached;
  }

  @Test
  void whatCannotHappenIsNamed() {
    IllegalStateException wrong =
        assertThrows(
            IllegalStateException.class,
            () -> TaskStates.TABLE.next(TaskView.State.DONE, TaskStates.Event.BEGIN));
    assertEquals("no BEGIN in DONE", wrong.getMessage());
  }
}
