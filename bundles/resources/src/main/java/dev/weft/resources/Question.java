package dev.weft.resources;

import dev.weft.api.policy.PlacementPolicy.Request;
import dev.weft.core.resources.Placement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A scheduler's question, answered when every request of it is. */
final class Question {
  private final long number;
  private final List<Request> requests;
  private final Placement[] answers;
  private int open;

  /** Requests that are placed all or none; one that is in no gang is a unit of its own. */
  static final class Unit {
    final Question question;
    final List<Integer> places = new ArrayList<>();
    int tries;

    private Unit(Question question) {
      this.question = question;
    }

    Request request(int member) {
      return question.requests.get(places.get(member));
    }

    List<Request> requests() {
      return places.stream().map(question.requests::get).toList();
    }

    boolean isGang() {
      return question.requests.get(places.get(0)).gang().isPresent();
    }

    int size() {
      return places.size();
    }

    /** Answers all of it; returns the answer to the question if that was the last of it. */
    Optional<ResourceEffect> answer(List<Placement> placements) {
      for (int i = 0; i < places.size(); i++) {
        question.answers[places.get(i)] = placements.get(i);
      }
      question.open -= places.size();
      return question.open > 0
          ? Optional.empty()
          : Optional.of(new ResourceEffect.Answer(question.number, List.of(question.answers)));
    }
  }

  Question(long number, List<Request> requests) {
    this.number = number;
    this.requests = List.copyOf(requests);
    this.answers = new Placement[requests.size()];
    this.open = requests.size();
  }

  /** Its units, each where its first request stands. */
  List<Unit> units() {
    List<Unit> units = new ArrayList<>();
    Map<Long, Unit> gangs = new LinkedHashMap<>();
    for (int place = 0; place < requests.size(); place++) {
      Request request = requests.get(place);
      Unit unit;
      if (request.gang().isPresent()) {
        unit = gangs.get(request.gang().getAsLong());
        if (unit == null) {
          unit = new Unit(this);
          gangs.put(request.gang().getAsLong(), unit);
          units.add(unit);
        }
      } else {
        unit = new Unit(this);
        units.add(unit);
      }
      unit.places.add(place);
    }
    return units;
  }
}
