package devmongo;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;

/** The pipeline that drivers send for countDocuments, counted without a copy of every document. */
record DocumentCount(Document filter, int skip, int limit) {
  private static final Document SUM = new Document("$group", new Document("_id", 1).append("n", new Document("$sum", 1)));

  /** Null for any other pipeline. */
  static DocumentCount of(Object pipeline) {
    if (!(pipeline instanceof List<?> stages) || stages.size() < 2) return null;
    if (!stages.get(stages.size() - 1).equals(SUM)) return null;
    if (!(((Document) stages.get(0)).get("$match") instanceof Document filter)) return null;
    int skip = 0;
    int limit = 0;
    for (Object each : stages.subList(1, stages.size() - 1)) {
      Document stage = (Document) each;
      if (stage.get("$skip") instanceof Number given) skip = given.intValue();
      else if (stage.get("$limit") instanceof Number given) limit = given.intValue();
      else return null;
    }
    return new DocumentCount(filter, skip, limit);
  }
}
