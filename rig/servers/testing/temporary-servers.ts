import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServers, type Servers, type ServersOptions } from '../start-servers.mjs';

/** A start of all servers takes some 5 s, on a busy machine ten times that. */
export const LONG = 300_000;

const open = new Map<string, Servers>();

/** Servers on free ports in a folder of their own, which `stopServersAfterEach` stops and deletes. */
export async function temporaryServers(options: Omit<ServersOptions, 'dir'> = {}): Promise<Servers> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  const servers = await openServers({ dir, ports: { kafka: 0, mongo: 0, 'event-store': 0 }, log: () => {}, ...options });
  open.set(dir, servers);
  await servers.start();
  return servers;
}

/** To be called once in a file that opens servers. */
export const stopServersAfterEach = (): void =>
  afterEach(async () => {
    for (const [dir, servers] of open) {
      await servers.wipe();
      rmSync(dir, { recursive: true });
    }
    open.clear();
  }, LONG);
