package dev.weft.scheduler.flow;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A state machine as a table: which event leads from which state to which.
 *
 * @param <S> states
 * @param <E> events
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
  private final S initial;
  private final Map<S, Map<E, S>> table;

  private TransitionTable(S initial, Map<S, Map<E, S>> table) {
    this.initial = initial;
    this.table = table;
  }

  /** An empty table. */
  static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> from(
      S initial, Class<S> states, Class<E> events) {
    return new Builder<>(initial, states, events);
  }

  /** The state in which everything begins. */
  public S initial() {
    return initial;
  }

  /** Where an event leads; empty if it cannot happen in that state. */
  public Optional<S> find(S state, E event) {
    return Optional.ofNullable(table.getOrDefault(state, Map.of()).get(event));
  }

  /**
   * Where an event leads.
   *
   * @throws IllegalStateException if it cannot happen in that state
   */
  public S next(S state, E event) {
    return find(state, event)
        .orElseThrow(() -> new IllegalStateException("no " + event + " in " + state));
  }

  /** The table as a Mermaid state diagram, in the order of the enums. */
  public String diagram() {
    StringBuilder text = new StringBuilder("stateDiagram-v2\n  [*] --> " + initial + "\n");
    table.forEach(
        (state, row) ->
            row.forEach(
                (event, next) ->
                    text.append("  ")
                        .append(state)
                        .append(" --> ")
                        .append(next)
                        .append(" : ")
                        .append(event.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .append('\n')));
    for (S state : initial.getDeclaringClass().getEnumConstants()) {
      if (!table.containsKey(state)) {
        text.append("  ").append(state).append(" --> [*]\n");
      }
    }
    return text.toString();
  }

  /** Fills a table. */
  static final class Builder<S extends Enum<S>, E extends Enum<E>> {
    private final S initial;
    private final Class<E> events;
    private final Map<S, Map<E, S>> table;

    private Builder(S initial, Class<S> states, Class<E> events) {
      this.initial = initial;
      this.events = events;
      this.table = new EnumMap<>(states);
    }

    /** One line of the table. */
    Builder<S, E> on(S state, E event, S next) {
      if (table.computeIfAbsent(state, key -> new EnumMap<>(events)).put(event, next) != null) {
        throw new IllegalStateException("two lines for " + event + " in " + state);
      }
      return this;
    }

    TransitionTable<S, E> build() {
      return new TransitionTable<>(initial, table);
    }
  }
}
