package dev.weft.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts per execution environment: what a node offers or has free, or what a task takes.
 * Environments with nothing in them are not stored.
 *
 * @param perEnvironment environment to amount
 */
public record Resources(SortedMap<Environment, Amount> perEnvironment) {
  /** Nothing at all. */
  public static final Resources NONE = new Resources(new TreeMap<>());

  /** Copies, and drops what is empty. */
  public Resources {
    Objects.requireNonNull(perEnvironment, "perEnvironment");
    perEnvironment = ImmutableSortedMap.copyOf(withoutEmpty(perEnvironment));
  }

  private static SortedMap<Environment, Amount> withoutEmpty(
      SortedMap<Environment, Amount> perEnvironment) {
    for (Amount amount : perEnvironment.values()) {
      if (amount.isNone()) {
        SortedMap<Environment, Amount> copy = new TreeMap<>(perEnvironment);
        copy.values().removeIf(Amount::isNone);
        return copy;
      }
    }
    return perEnvironment;
  }

  /** An amount of the ordinary environment alone. */
  public static Resources ree(Amount amount) {
    return in(Environment.REE, amount);
  }

  /** An amount of one environment alone: most have no other, and are made without a tree. */
  private static Resources in(Environment environment, Amount amount) {
    return amount.isNone() ? NONE : new Resources(ImmutableSortedMap.of(environment, amount));
  }

  /** What an environment has; nothing if it is not named. */
  public Amount in(Environment environment) {
    return perEnvironment.getOrDefault(environment, Amount.NONE);
  }

  /** How much of a type there is in all environments together ({@link Amount#total}). */
  public long total(ResourceType type) {
    long sum = 0;
    for (Amount amount : perEnvironment.values()) {
      sum += amount.total(type);
    }
    return sum;
  }

  /** Whether there is enough in every environment. */
  public boolean covers(Resources wanted) {
    for (Map.Entry<Environment, Amount> entry : wanted.perEnvironment.entrySet()) {
      if (!in(entry.getKey()).covers(entry.getValue())) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a demand takes of this ({@link Amount#allocate}).
   *
   * @return empty if there is less than wanted
   */
  public Optional<Resources> allocate(Resources wanted) {
    if (wanted.perEnvironment.size() == 1) {
      Environment only = wanted.perEnvironment.firstKey();
      return in(only).allocate(wanted.in(only)).map(amount -> in(only, amount));
    }
    SortedMap<Environment, Amount> taken = new TreeMap<>();
    for (Map.Entry<Environment, Amount> entry : wanted.perEnvironment.entrySet()) {
      Optional<Amount> amount = in(entry.getKey()).allocate(entry.getValue());
      if (amount.isEmpty()) {
        return Optional.empty();
      }
      taken.put(entry.getKey(), amount.get());
    }
    return Optional.of(new Resources(taken));
  }

  /** The first thing of which there is less than wanted. */
  public Optional<Lack> lacking(Resources wanted) {
    for (Map.Entry<Environment, Amount> entry : wanted.perEnvironment.entrySet()) {
      Amount have = in(entry.getKey());
      Optional<ResourceType> type = have.lacking(entry.getValue());
      if (type.isPresent()) {
        return Optional.of(
            new Lack(
                entry.getKey(),
                type.get(),
                entry.getValue().get(type.get()),
                have.available(type.get(), entry.getValue())));
      }
    }
    return Optional.empty();
  }

  /** The sum. */
  public Resources plus(Resources other) {
    if (perEnvironment.isEmpty() || other.perEnvironment.isEmpty()) {
      return perEnvironment.isEmpty() ? other : this;
    }
    if (perEnvironment.size() == 1
        && other.perEnvironment.size() == 1
        && perEnvironment.firstKey().equals(other.perEnvironment.firstKey())) {
      Environment only = perEnvironment.firstKey();
      return in(only, in(only).plus(other.in(only)));
    }
    SortedMap<Environment, Amount> sum = new TreeMap<>(perEnvironment);
    other.perEnvironment.forEach(
        (environment, amount) -> sum.merge(environment, amount, Amount::plus));
    return new Resources(sum);
  }

  /** The difference, with zero where it would be negative. */
  public Resources minusAtMost(Resources other) {
    if (perEnvironment.size() == 1) {
      Environment only = perEnvironment.firstKey();
      return in(only, in(only).minusAtMost(other.in(only)));
    }
    SortedMap<Environment, Amount> difference = new TreeMap<>(perEnvironment);
    difference.replaceAll((environment, amount) -> amount.minusAtMost(other.in(environment)));
    return new Resources(difference);
  }

  /**
   * What is missing, in the unit of the type.
   *
   * @param environment where
   * @param type of what
   * @param wanted how much was asked for
   * @param available how much there is
   */
  public record Lack(Environment environment, ResourceType type, long wanted, long available) {}
}
