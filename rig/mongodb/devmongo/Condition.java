package devmongo;

import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Collection;
import java.util.TreeSet;
import java.util.UUID;

/** What a query asks of one field, as far as an index can serve it. */
sealed interface Condition {
  record Equal(Object value) implements Condition {}

  record OneOf(TreeSet<Object> values) implements Condition {}

  /** Either end may be null: open. The ends themselves are included; the query decides on them afterwards. */
  record Range(Object from, Object to) implements Condition {}

  /** Null where an index is of no use. */
  static Condition of(Object asked) {
    if (isScalar(asked)) return new Equal(asked);
    if (!(asked instanceof Document operators)) return null;
    // Null stands for what is missing, too: the index holds both in one place.
    if (operators.containsKey("$eq") && operators.get("$eq") == null) return new Equal(null);
    if (isScalar(operators.get("$eq"))) return new Equal(operators.get("$eq"));
    if (operators.get("$in") instanceof Collection<?> values && values.stream().allMatch(Condition::isScalar)) {
      TreeSet<Object> sorted = new TreeSet<>(ValueComparator.ascWithoutListHandling());
      sorted.addAll(values);
      return new OneOf(sorted);
    }
    Object from = scalarAt(operators, "$gt", "$gte");
    Object to = scalarAt(operators, "$lt", "$lte");
    return from == null && to == null ? null : new Range(from, to);
  }

  private static Object scalarAt(Document operators, String exclusive, String inclusive) {
    if (isScalar(operators.get(exclusive))) return operators.get(exclusive);
    return isScalar(operators.get(inclusive)) ? operators.get(inclusive) : null;
  }

  private static boolean isScalar(Object value) {
    return value instanceof String
        || value instanceof Instant
        || value instanceof Boolean
        || value instanceof ObjectId
        || value instanceof UUID
        || value instanceof Number number && !Double.isNaN(number.doubleValue());
  }
}
