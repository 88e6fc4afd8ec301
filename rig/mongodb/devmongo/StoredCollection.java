package devmongo;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.h2.mvstore.MVMap;

/** Stored documents are never changed in place: readers get what was committed, updates work on a copy. */
final class StoredCollection extends H2Collection {
  StoredCollection(
      MongoDatabase database,
      String name,
      CollectionOptions options,
      MVMap<Object, Document> data,
      MVMap<String, Object> meta,
      CursorRegistry cursors) {
    super(database, name, options, data, meta, cursors);
  }

  @Override
  protected boolean tracksDataSize() {
    return false;
  }

  @Override
  public synchronized void addIndex(Index<Object> index) {
    super.addIndex(index);
  }

  @Override
  public synchronized void dropIndex(String name) {
    super.dropIndex(name);
  }

  @Override
  public synchronized int count(Document query, int skip, int limit) {
    return super.count(query, skip, limit);
  }

  /** As mongod, which puts the _id first. */
  @Override
  public synchronized void addDocument(Document document) {
    boolean moves = getIdField() != null && document.containsKey("_id") && !document.keySet().iterator().next().equals("_id");
    if (moves) {
      Document ordered = new Document("_id", document.get("_id"));
      ordered.putAll(document);
      document.clear();
      document.putAll(ordered);
    }
    super.addDocument(document);
  }

  @Override
  protected QueryResult createQueryResult(List<Document> all, int batchSize) {
    if (batchSize <= 0) return new QueryResult(() -> all.stream().map(Document::cloneDeeply).iterator());
    BatchCursor cursor = new BatchCursor(cursorRegistry.generateCursorId(), all);
    List<Document> first = cursor.takeDocuments(batchSize);
    if (cursor.isEmpty()) return new QueryResult(first);
    cursorRegistry.add(cursor);
    return new QueryResult(first, cursor);
  }

  @Override
  protected QueryResult queryDocuments(Document query, Document sort, int skip, int limit, int batchSize, Document projection) {
    IndexPlan best = null;
    for (Index<Object> index : getIndexes()) {
      IndexPlan plan = index instanceof OrderedIndex ordered ? IndexPlan.of(ordered, query, sort) : null;
      if (plan != null && (best == null || plan.score() > best.score())) best = plan;
    }
    if (best == null) return super.queryDocuments(query, sort, skip, limit, batchSize, projection);
    var documents = best.positions().get().map(this::getDocument);
    return matchDocumentsFromStream(documents, query, best.sorted() ? null : sort, skip, limit, batchSize, projection);
  }
}
