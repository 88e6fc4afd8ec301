package devmongo;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Bytes of a document on the wire. */
final class BsonSize {
  private BsonSize() {}

  static int of(Document document) {
    ByteBuf buffer = Unpooled.buffer();
    try {
      BsonEncoder.encodeDocument(document, buffer);
      return buffer.readableBytes();
    } finally {
      buffer.release();
    }
  }
}
