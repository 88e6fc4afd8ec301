package devmongo;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.QueryMatcher;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.DuplicateKeyError;
import de.bwaldvogel.mongo.exception.MongoServerError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An index in memory, rebuilt at start: unique, sparse or partial. An entry is the values of its keys, then the _id. */
final class OrderedIndex extends Index<Object> {
  /** Before and after every value, in either direction. */
  static final Object LOW = new Object();

  static final Object HIGH = new Object();

  private static final ValueComparator VALUES = ValueComparator.ascWithoutListHandling();
  private static final int LARGEST_DOCUMENT = 16 << 20;

  final TreeMap<List<Object>, Object> entries;

  /** Its fields and their directions; the _id is the last, as tie-break. */
  final List<String> fields;

  final List<Boolean> ascending;

  private final boolean unique;
  private final Document filter;
  private final QueryMatcher matcher = new DefaultQueryMatcher();
  private boolean ofArrays;

  OrderedIndex(String name, List<IndexKey> keys, boolean sparse, boolean unique, Document filter) {
    super(name, keys, sparse);
    this.unique = unique;
    this.filter = filter;
    fields = keys.stream().map(IndexKey::getKey).collect(Collectors.toList());
    ascending = keys.stream().map(IndexKey::isAscending).collect(Collectors.toList());
    if (!fields.contains("_id")) {
      fields.add("_id");
      ascending.add(true);
    }
    entries = new TreeMap<>(this::compare);
  }

  int compare(List<Object> a, List<Object> b) {
    for (int i = 0; i < a.size() && i < b.size(); i++) {
      Object x = a.get(i);
      Object y = b.get(i);
      if (x == y) continue;
      if (x == LOW || y == HIGH) return -1;
      if (x == HIGH || y == LOW) return 1;
      int order = VALUES.compare(x, y);
      if (order != 0) return i < ascending.size() && !ascending.get(i) ? -order : order;
    }
    return 0;
  }

  static List<Object> with(List<Object> values, Object... more) {
    List<Object> longer = new ArrayList<>(values);
    longer.addAll(Arrays.asList(more));
    return longer;
  }

  boolean isPrimary() {
    return getName().equals("_id_");
  }

  /** Whether a document may have several entries, because one of its fields held an array once. */
  boolean isOfArrays() {
    return ofArrays;
  }

  /** Whether it knows every document of the collection. */
  boolean isWhole() {
    return !isSparse() && filter == null;
  }

  private static Object idOf(Document document) {
    return Missing.ofNullable(document.get("_id"));
  }

  /** The keys of a document's entries, without its _id: one, or one for each element of an array. */
  private List<List<Object>> keysOf(Document document) {
    List<List<Object>> keys = List.of(List.of());
    boolean any = false;
    for (IndexKey key : getKeys()) {
      Object value = Utils.getSubdocumentValueCollectionAware(document, key.getKey());
      any |= !(value instanceof Missing);
      ofArrays |= value instanceof Collection;
      Collection<?> values = valuesOf(value);
      keys = keys.stream().flatMap(known -> values.stream().map(each -> with(known, each))).collect(Collectors.toList());
    }
    boolean left = isSparse() && !any || filter != null && !matcher.matches(document, filter);
    return left ? List.of() : keys;
  }

  private static Collection<?> valuesOf(Object value) {
    if (!(value instanceof Collection<?> elements)) return Collections.singletonList(value);
    return elements.isEmpty() ? Collections.singletonList(Missing.getInstance()) : elements;
  }

  private void refuseDuplicate(Document document, Object self, MongoCollection<Object> collection) {
    if (!unique) return;
    for (List<Object> key : keysOf(document))
      for (Object holder : entries.subMap(with(key, LOW), with(key, HIGH)).values())
        if (!holder.equals(self)) throw duplicate(key, collection);
  }

  private DuplicateKeyError duplicate(List<Object> key, MongoCollection<Object> collection) {
    DuplicateKeyError error = new DuplicateKeyError(this, collection, getKeys(), new KeyValue(key));
    Document pattern = new Document();
    Document values = new Document();
    for (int i = 0; i < getKeys().size(); i++) {
      String field = getKeys().get(i).getKey();
      pattern.put(field, getKeys().get(i).isAscending() ? 1 : -1);
      values.put(field, key.get(i) instanceof Missing ? null : key.get(i));
    }
    Duplicates.remember(error.getMessageWithoutErrorCode(), pattern, values);
    return error;
  }

  @Override
  public Object getPosition(Document document) {
    return idOf(document);
  }

  @Override
  public void checkAdd(Document document, MongoCollection<Object> collection) {
    refuseDuplicate(document, null, collection);
  }

  @Override
  public void add(Document document, Object position, MongoCollection<Object> collection) {
    refuseDuplicate(document, null, collection);
    put(document, position);
  }

  private void put(Document document, Object position) {
    for (List<Object> key : keysOf(document)) entries.put(with(key, position), position);
  }

  @Override
  public Object remove(Document document) {
    Object position = idOf(document);
    for (List<Object> key : keysOf(document)) entries.remove(with(key, position));
    return position;
  }

  @Override
  public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
    if (isPrimary() && BsonSize.of(after) > LARGEST_DOCUMENT)
      throw new MongoServerError(17419, "Location17419", "Resulting document after update is larger than " + LARGEST_DOCUMENT);
    refuseDuplicate(after, idOf(before), collection);
  }

  @Override
  public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
    remove(before);
    put(after, position);
  }

  /** The library's planner knows equality alone; {@link IndexPlan} plans instead. */
  @Override
  public boolean canHandle(Document query) {
    return false;
  }

  @Override
  public Iterable<Object> getPositions(Document query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getCount() {
    return entries.size();
  }

  @Override
  public long getDataSize() {
    return entries.size();
  }

  @Override
  public boolean isUnique() {
    return unique;
  }

  @Override
  public void drop() {}

  @Override
  public boolean hasSameOptions(Index<?> other) {
    return other instanceof OrderedIndex index
        && fields.equals(index.fields)
        && ascending.equals(index.ascending)
        && unique == index.unique
        && isSparse() == index.isSparse()
        && Objects.equals(filter, index.filter);
  }
}
