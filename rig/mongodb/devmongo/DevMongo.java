package devmongo;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import java.net.InetSocketAddress;
import java.util.List;
import org.h2.mvstore.MVStore;

/**
 * Stands in for mongod where none can be had: the MongoDB protocol on mongo-java-server's H2 backend, a replica set of one, on one
 * file. A write is answered once its commit is in the file, so that a killed process loses nothing acknowledged. A power loss may:
 * nothing is synced to the disk.
 *
 * <p>Usage: {@code java devmongo.DevMongo ADDRESS PORT FILE REPLICA_SET}
 */
public final class DevMongo {
  private static final int CACHE_MIB = 256;
  private static final int UNSAVED_KIB = 64 << 10;
  private static final int REUSE_CHUNKS_AFTER_MS = 2000; // the default lets the file grow by gigabytes
  private static final int EXPIRE_EVERY_MS = 5000;

  /** One per process, and static: the library's constructors open what is stored before a subclass has fields. */
  static MVStore store;

  private DevMongo() {}

  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    int port = Integer.parseInt(args[1]);
    store = open(args[2]);
    DurableBackend backend = new DurableBackend(args[3], address + ":" + port);
    backend.version(new Version());
    MongoServer server = new MongoServer(backend);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
    try {
      server.bind(new InetSocketAddress(address, port), 1, 16);
    } catch (Exception e) { // netty throws a BindException without declaring it
      e.printStackTrace();
      System.exit(1);
    }
    System.out.println("ready on port " + port);
    while (true) {
      expire(backend);
      Thread.sleep(EXPIRE_EVERY_MS);
    }
  }

  private static MVStore open(String file) {
    MVStore opened = new MVStore.Builder().fileName(file).compress().cacheSize(CACHE_MIB).autoCommitBufferSize(UNSAVED_KIB).open();
    opened.setAutoCommitDelay(0);
    opened.setRetentionTime(REUSE_CHUNKS_AFTER_MS);
    return opened;
  }

  private static void expire(DurableBackend backend) {
    try {
      backend.deleteExpired();
    } catch (RuntimeException e) {
      e.printStackTrace();
    }
  }

  private static void stop(MongoServer server) {
    server.shutdownNow();
    System.out.println("stopped");
  }

  /** The library's own is too old for today's drivers. */
  private static final class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(7, 0, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 21;
    }
  }
}
