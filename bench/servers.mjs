// Starts real servers for one benchmark, in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from '../rig/servers/start-servers.mjs';

/** Calls `work` with the addresses and process ids of the servers, then stops them. */
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
    });
  } finally {
    await servers.wipe();
    rmSync(folder, { recursive: true, force: true });
  }
}
