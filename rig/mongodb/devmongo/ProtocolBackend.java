package devmongo;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Answers each command as mongod 7 does where the library does not, and refuses loudly what cannot be had. */
class ProtocolBackend extends H2Backend {
  private static final int FIRST_BATCH = 101;
  private static final Set<String> COLLECTION_OPTIONS_REFUSED =
      Set.of("validator", "capped", "timeseries", "viewOn", "expireAfterSeconds");

  private final String replicaSet;
  private final String self;

  ProtocolBackend(String replicaSet, String self) {
    super(DevMongo.store);
    this.replicaSet = replicaSet;
    this.self = self;
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new StoredDatabase(name, getCursorRegistry());
  }

  /** Null when there is none. */
  MongoCollection<?> collection(String database, Object name) {
    return resolveDatabase(database).resolveCollection(name.toString(), false);
  }

  @Override
  public Document handleMessage(MongoMessage message) {
    Duplicates.forget();
    try {
      return super.handleMessage(message);
    } catch (MongoServerError e) {
      String text = e.getMessageWithoutErrorCode();
      Document answer = new Document("ok", 0.0).append("errmsg", text).append("code", e.getCode()).append("codeName", e.getCodeName());
      Duplicates.describe(answer, text);
      return answer;
    }
  }

  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    Call call = new Call(channel, database, command, query);
    String name = command.toLowerCase(Locale.ROOT);
    refuse(name, query);
    return switch (name) {
      case "hello", "ismaster" -> hello(call);
      case "listdatabases" -> listDatabases();
      case "listcollections" -> listCollections(call);
      case "listindexes" -> listIndexes(call);
      case "dropindexes" -> dropIndexes(call);
      case "drop" -> exists(call) ? library(call) : ok(new Document());
      case "find" -> find(call);
      case "count" -> count(call);
      case "collstats" -> collStats(call);
      case "aggregate" -> aggregate(call);
      case "findandmodify" -> findAndModify(call);
      case "insert" -> insert(call);
      case "update" -> update(call);
      default -> library(call);
    };
  }

  private record Call(Channel channel, String database, String command, Document query) {
    Object target() {
      return query.get(command);
    }

    Call asking(Document other) {
      return new Call(channel, database, command, other);
    }
  }

  private Document library(Call call) {
    return super.handleCommand(call.channel, call.database, call.command, call.query);
  }

  private boolean exists(Call call) {
    return collection(call.database, call.target()) != null;
  }

  private static Document ok(Document answer) {
    return answer.append("ok", 1.0);
  }

  private static void refuse(String command, Document query) {
    if (query.containsKey("autocommit")) throw new MongoServerError(20, "IllegalOperation", "DevMongo has no transactions");
    boolean unknown = command.equals("create") && !Collections.disjoint(query.keySet(), COLLECTION_OPTIONS_REFUSED);
    if (query.get("collation") != null || unknown) throw notImplemented("no collation, validator, capped, view or time series");
    // The H2 backend would lose the documents at the next start.
    if (command.equals("renamecollection")) throw notImplemented("no rename");
  }

  private static MongoServerError notImplemented(String what) {
    return new MongoServerError(238, "NotImplemented", "DevMongo: " + what);
  }

  private Document hello(Call call) {
    return super.handleCommand(call.channel, call.database, "ismaster", call.query)
        .append("isWritablePrimary", true)
        .append("helloOk", true)
        .append("logicalSessionTimeoutMinutes", 30)
        .append("readOnly", false)
        .append("maxWriteBatchSize", 100000)
        .append("setName", replicaSet)
        .append("setVersion", 1)
        .append("hosts", List.of(self))
        .append("me", self)
        .append("primary", self)
        .append("secondary", false);
  }

  private Document listDatabases() {
    List<Document> databases =
        listDatabaseNames().stream()
            .sorted()
            .map(name -> new Document("name", name).append("empty", resolveDatabase(name).isEmpty()))
            .collect(Collectors.toList());
    return ok(new Document("databases", databases));
  }

  private Document listCollections(Call call) {
    DefaultQueryMatcher matcher = new DefaultQueryMatcher();
    Document filter = call.query.get("filter") instanceof Document given ? given : new Document();
    Document answer = library(call);
    List<Document> own =
        firstBatch(answer).stream()
            .filter(each -> !each.get("name").toString().startsWith("system.") && matcher.matches(each, filter))
            .collect(Collectors.toList());
    ((Document) answer.get("cursor")).put("firstBatch", own);
    return answer;
  }

  /** The one of the _id comes first. */
  private Document listIndexes(Call call) {
    if (!exists(call)) throw new MongoServerError(26, "NamespaceNotFound", "ns does not exist: " + call.database + "." + call.target());
    Document answer = library(call);
    List<Document> indexes = firstBatch(answer);
    indexes.sort(Comparator.comparing(index -> !index.get("name").equals("_id_")));
    ((Document) answer.get("cursor")).put("firstBatch", indexes);
    return answer;
  }

  private Document dropIndexes(Call call) {
    if (!"*".equals(call.query.get("index"))) return library(call);
    Document list = new Document("listIndexes", call.target());
    for (Document index : firstBatch(super.handleCommand(call.channel, call.database, "listIndexes", list))) {
      if (index.get("name").equals("_id_")) continue;
      library(call.asking(new Document(call.command, call.target()).append("index", index.get("name"))));
    }
    return ok(new Document());
  }

  private Document find(Call call) {
    call.query.putIfAbsent("batchSize", FIRST_BATCH);
    checkHint(call);
    return library(call);
  }

  private Document count(Call call) {
    checkHint(call);
    return library(call);
  }

  /** The library answers 0 bytes, since sizes are not tracked: that would cost each write. */
  private Document collStats(Call call) {
    Document answer = library(call);
    MongoCollection<?> found = collection(call.database, call.target());
    if (found == null) return answer;
    synchronized (found) {
      answer.put("size", found.queryAllAsStream().mapToLong(BsonSize::of).sum());
    }
    return answer;
  }

  private Document findAndModify(Call call) {
    checkHint(call);
    Document answer = library(call);
    if (!answer.containsKey("lastErrorObject")) {
      int found = answer.get("value") == null ? 0 : 1;
      answer.put("lastErrorObject", new Document("n", found).append("updatedExisting", false));
    }
    return answer;
  }

  private Document aggregate(Call call) {
    if (call.query.get("pipeline").toString().contains("$changeStream"))
      throw new MongoServerError(40573, "Location40573", "The $changeStream stage is only supported on replica sets");
    checkHint(call);
    DocumentCount asked = DocumentCount.of(call.query.get("pipeline"));
    if (asked == null || !exists(call)) return library(call);
    int n = collection(call.database, call.target()).count(asked.filter(), asked.skip(), asked.limit());
    List<Document> batch = n == 0 ? List.of() : List.of(new Document("_id", 1).append("n", n));
    String namespace = call.database + "." + call.target();
    return ok(new Document("cursor", new Document("id", 0L).append("ns", namespace).append("firstBatch", batch)));
  }

  private Document insert(Call call) {
    int given = ((List<?>) call.query.get("documents")).size();
    Document answer = library(call);
    List<Document> errors = writeErrors(answer);
    if (!errors.isEmpty()) answer.put("n", isOrdered(call) ? errors.get(0).get("index") : (Object) (given - errors.size()));
    return answer;
  }

  /** One statement after the other; an ordered update ends at the first error. */
  private Document update(Call call) {
    int matched = 0;
    int modified = 0;
    int index = 0;
    List<Document> upserted = new ArrayList<>();
    List<Document> errors = new ArrayList<>();
    for (Object statement : (List<?>) call.query.get("updates")) {
      if (((Document) statement).get("u") instanceof List) throw notImplemented("no pipeline updates");
      Document answer = library(call.asking(new Document(call.command, call.target()).append("updates", List.of(statement))));
      matched += (Integer) answer.get("n");
      modified += (Integer) answer.get("nModified");
      if (answer.get("upserted") instanceof Collection<?> made)
        for (Object each : made) upserted.add(new Document("index", index).append("_id", ((Document) each).get("_id")));
      for (Document error : writeErrors(answer)) errors.add(error.append("index", index));
      if (!errors.isEmpty() && isOrdered(call)) break;
      index++;
    }
    Document answer = new Document("n", matched).append("nModified", modified);
    if (!upserted.isEmpty()) answer.put("upserted", upserted);
    if (!errors.isEmpty()) answer.put("writeErrors", errors);
    return ok(answer);
  }

  private static boolean isOrdered(Call call) {
    return Utils.isTrue(call.query.getOrDefault("ordered", true));
  }

  @SuppressWarnings("unchecked")
  private static List<Document> firstBatch(Document answer) {
    return new ArrayList<>((Collection<Document>) ((Document) answer.get("cursor")).get("firstBatch"));
  }

  @SuppressWarnings("unchecked")
  private static List<Document> writeErrors(Document answer) {
    List<Document> errors = (List<Document>) answer.getOrDefault("writeErrors", List.of());
    for (Document error : errors) Duplicates.describe(error, error.get("errmsg").toString());
    return errors;
  }

  private void checkHint(Call call) {
    Object hint = call.query.get("hint");
    boolean free = hint == null || hint instanceof Document keys && (keys.isEmpty() || keys.containsKey("$natural"));
    if (free || !exists(call)) return;
    boolean known =
        collection(call.database, call.target()).getIndexes().stream()
            .anyMatch(index -> index.getName().equals(hint) || index.toIndexDescription().get("key").equals(hint));
    if (!known)
      throw new MongoServerError(
          2, "BadValue", "planner returned error :: caused by :: hint provided does not correspond to an existing index");
  }
}
