package devmongo;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import java.util.List;

/** Makes every index one that is really used; the library itself ignores all but unique ones. */
final class StoredDatabase extends H2Database {
  /** Description of the index that is being made: the library hands on neither its filter nor more of its options. */
  private Document making;

  StoredDatabase(String name, CursorRegistry cursors) {
    super(name, DevMongo.store, cursors);
  }

  @Override
  protected synchronized void addIndex(Document description) {
    Document key = (Document) description.get("key");
    if (!key.values().stream().allMatch(Number.class::isInstance)) throw refused("only 1/-1 index keys");
    if (key.keySet().stream().anyMatch(field -> field.contains("$"))) throw refused("no wildcard indexes");
    Document before = making;
    making = description;
    try {
      super.addIndex(description);
    } finally {
      making = before;
    }
  }

  private static MongoServerError refused(String why) {
    return new MongoServerError(67, "CannotCreateIndex", "DevMongo: " + why);
  }

  @Override
  protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
    return new OrderedIndex(name, keys, sparse, true, filterOf(collection, name));
  }

  @Override
  protected Index<Object> openOrCreateSecondaryIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
    return new OrderedIndex(name, keys, sparse, false, filterOf(collection, name));
  }

  private Document filterOf(String collection, String name) {
    Document description = making;
    if (description == null && indexes.get() != null) {
      Document stored = new Document("ns", getFullCollectionNamespace(collection)).append("name", name);
      for (Document found : indexes.get().handleQuery(stored)) description = found;
    }
    return description == null ? null : (Document) description.get("partialFilterExpression");
  }

  @Override
  protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
    String namespace = getFullCollectionNamespace(name);
    return new StoredCollection(
        this,
        name,
        options,
        DevMongo.store.openMap("databases." + namespace),
        DevMongo.store.openMap("meta." + namespace),
        cursorRegistry);
  }
}
