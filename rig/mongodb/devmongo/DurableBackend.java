package devmongo;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Answers a write when it is in the file, and a repeated retryable write by the answer it got before. */
final class DurableBackend extends ProtocolBackend {
  private static final Set<String> WRITES =
      Set.of(
          "insert", "update", "delete", "findandmodify", "create", "createindexes", "drop", "dropindexes", "dropdatabase", "renamecollection");

  /** Held to read by those that write, and alone by the commit: half a write is never in the file. */
  private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock(true);

  private final AtomicLong asked = new AtomicLong();
  private long saved; // guarded by asked

  /** The last retryable write of each session with its answer: {n, answer}. */
  private final Map<String, Document> sessions = DevMongo.store.openMap("devmongo.sessions");

  DurableBackend(String replicaSet, String self) {
    super(replicaSet, self);
  }

  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    if (!WRITES.contains(command.toLowerCase(Locale.ROOT))) return super.handleCommand(channel, database, command, query);
    Document answer;
    writing.readLock().lock();
    try {
      answer = once(query, () -> super.handleCommand(channel, database, command, query));
    } finally {
      writing.readLock().unlock();
    }
    save();
    return answer;
  }

  private interface Write {
    Document run();
  }

  private Document once(Document query, Write write) {
    Object number = query.get("txnNumber");
    if (number == null) return write.run();
    String session = ((Document) query.get("lsid")).get("id").toString();
    Document last = sessions.get(session);
    if (last != null && last.get("n").equals(number)) return (Document) last.get("answer");
    Document answer = write.run();
    sessions.put(session, new Document("n", number).append("answer", answer));
    return answer;
  }

  /** One commit answers every write that was done before it began. */
  private void save() {
    long mine = asked.incrementAndGet();
    synchronized (asked) {
      if (saved >= mine) return;
      long upTo = asked.get();
      writing.writeLock().lock();
      try {
        DevMongo.store.commit();
      } finally {
        writing.writeLock().unlock();
      }
      saved = upTo;
    }
  }

  /** Deletes what indexes with expireAfterSeconds say is over. */
  void deleteExpired() {
    writing.readLock().lock();
    try {
      for (String database : List.copyOf(listDatabaseNames())) deleteExpired(database);
    } finally {
      writing.readLock().unlock();
    }
    if (DevMongo.store.hasUnsavedChanges()) save();
  }

  private void deleteExpired(String database) {
    MongoCollection<?> indexes = collection(database, "system.indexes");
    if (indexes == null) return;
    for (Document index : indexes.queryAll()) {
      if (!(index.get("expireAfterSeconds") instanceof Number seconds)) continue;
      MongoCollection<?> collection = collection(database, index.get("ns").toString().substring(database.length() + 1));
      if (collection == null) continue;
      String field = ((Document) index.get("key")).keySet().iterator().next();
      Instant over = Instant.now().minusSeconds(seconds.longValue());
      collection.deleteDocuments(new Document(field, new Document("$lt", over)), 0);
    }
  }
}
