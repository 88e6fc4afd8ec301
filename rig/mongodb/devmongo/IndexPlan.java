package devmongo;

import static devmongo.OrderedIndex.HIGH;
import static devmongo.OrderedIndex.LOW;
import static devmongo.OrderedIndex.with;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How an index serves a query: positions of all that matches and some more, in the index's order; the caller filters.
 *
 * @param score the higher the better
 * @param sorted whether the positions come in the order asked for
 */
record IndexPlan(int score, boolean sorted, Supplier<Stream<Object>> positions) {
  private enum Direction {
    FORWARD,
    BACKWARD,
    NONE
  }

  /** Null when the index is of no use. */
  static IndexPlan of(OrderedIndex index, Document query, Document sort) {
    if (!index.isWhole() || index.fields.stream().anyMatch(IndexPlan::namesAnElement)) return null;
    int keys = index.getKeys().size();
    List<Object> equal = new ArrayList<>();
    Condition next = null;
    while (equal.size() < keys) {
      next = Condition.of(query.get(index.fields.get(equal.size())));
      if (!(next instanceof Condition.Equal given)) break;
      equal.add(given.value());
      next = null;
    }
    Condition rest = next;
    boolean asked = sort != null && !sort.isEmpty();
    Direction direction =
        asked && !index.isOfArrays() && !(rest instanceof Condition.OneOf) ? direction(index, sort, equal.size()) : Direction.NONE;

    int score = equal.size() * (index.isPrimary() ? 100 : 4);
    if (rest != null) score += index.isPrimary() && rest instanceof Condition.OneOf ? 50 : 2;
    if (direction != Direction.NONE) score++;
    if (score == 0) return null;
    return new IndexPlan(score, !asked || direction != Direction.NONE, () -> positions(index, equal, rest, direction));
  }

  /** As in items.0.price. */
  private static boolean namesAnElement(String field) {
    return field.matches(".*(^|\\.)\\d+(\\..*|$)");
  }

  /** Which way through the index gives the order asked for, with the first fields fixed. */
  private static Direction direction(OrderedIndex index, Document sort, int fixed) {
    Direction direction = null;
    int at = fixed;
    for (Map.Entry<String, Object> part : sort.entrySet()) {
      if (index.fields.subList(0, fixed).contains(part.getKey())) continue;
      boolean fits = at < index.fields.size() && index.fields.get(at).equals(part.getKey());
      if (!fits || !(part.getValue() instanceof Number sign)) return Direction.NONE;
      Direction here = sign.intValue() > 0 == index.ascending.get(at++) ? Direction.FORWARD : Direction.BACKWARD;
      if (direction != null && direction != here) return Direction.NONE;
      direction = here;
    }
    return direction == null ? Direction.FORWARD : direction;
  }

  private static Stream<Object> positions(OrderedIndex index, List<Object> equal, Condition rest, Direction direction) {
    if (rest instanceof Condition.OneOf given) {
      return given.values().stream()
          .flatMap(value -> index.entries.subMap(with(equal, value, LOW), with(equal, value, HIGH)).values().stream())
          .distinct();
    }
    Object from = rest instanceof Condition.Range range ? range.from() : null;
    Object to = rest instanceof Condition.Range range ? range.to() : null;
    // One element of an array may meet the one bound and another the other.
    if (index.isOfArrays() && from != null) to = null;
    boolean falls = !index.ascending.get(Math.min(equal.size(), index.ascending.size() - 1));
    Object first = falls ? to : from;
    Object last = falls ? from : to;
    List<Object> low = first == null ? with(equal, LOW) : with(equal, first, LOW);
    List<Object> high = last == null ? with(equal, HIGH) : with(equal, last, HIGH);
    if (index.compare(low, high) > 0) return Stream.empty();
    NavigableMap<List<Object>, Object> part = index.entries.subMap(low, true, high, true);
    Stream<Object> positions = (direction == Direction.BACKWARD ? part.descendingMap() : part).values().stream();
    return index.isOfArrays() ? positions.distinct() : positions;
  }
}
