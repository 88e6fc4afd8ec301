package devmongo;

import de.bwaldvogel.mongo.bson.Document;
import java.util.HashMap;
import java.util.Map;

/** What drivers expect beside a duplicate key's message, kept for the command that this thread answers. */
final class Duplicates {
  private static final ThreadLocal<Map<String, Document>> MET = ThreadLocal.withInitial(HashMap::new);

  private Duplicates() {}

  static void forget() {
    MET.get().clear();
  }

  static void remember(String message, Document keyPattern, Document keyValue) {
    MET.get().put(message, new Document("keyPattern", keyPattern).append("keyValue", keyValue));
  }

  /** Adds keyPattern and keyValue to an error that carries a remembered message. */
  static void describe(Document error, String message) {
    MET.get().forEach((known, details) -> {
      if (message.endsWith(known)) error.putAll(details);
    });
  }
}
