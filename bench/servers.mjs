// Starts real servers for one benchmark, in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from '../rig/servers/start-servers.mjs';

/** Calls `work` with the addresses, process ids and folders of the servers, then stops them. */
export async function withServers(work) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-servers-'));
  const servers = await startServers({ dir: folder, ports: { kafka: 0, mongo: 0, 'event-store': 0 } });
  const { kafka, mongo, eventStore } = servers;
  try {
    return await work({
      kafka: kafka.url,
      mongo: mongo.url,
      eventStore: eventStore.url,
      pids: { kafka: kafka.pid, mongo: mongo.pid, eventStore: eventStore.pid },
      folders: { kafka: join(folder, 'kafka-1'), mongo: join(folder, 'mongo'), eventStore: join(folder, 'event-store') },
    });
  } finally {
    await servers.wipe();
    rmSync(folder, { recursive: true, force: true });
  }
}
