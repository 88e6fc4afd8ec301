package devmongo;

import de.bwaldvogel.mongo.backend.AbstractCursor;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;

/** Hands out at most 16 MiB a batch, as mongod. */
final class BatchCursor extends AbstractCursor {
  private static final int MOST_BYTES = 16 << 20;

  private final List<Document> documents;
  private int next;

  BatchCursor(long id, List<Document> documents) {
    super(id);
    this.documents = documents;
  }

  @Override
  public boolean isEmpty() {
    return next >= documents.size();
  }

  @Override
  public synchronized List<Document> takeDocuments(int most) {
    List<Document> batch = new ArrayList<>();
    long bytes = 0;
    while (!isEmpty() && (most <= 0 || batch.size() < most)) {
      bytes += BsonSize.of(documents.get(next));
      if (!batch.isEmpty() && bytes > MOST_BYTES) break;
      batch.add(documents.get(next++));
    }
    return batch;
  }
}
