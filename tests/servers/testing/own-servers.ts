import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serversAt, type Servers as Addresses } from '@svc/testkit';
import { openServers, type Servers } from '../../../rig/servers/start-servers.mjs';

export interface OwnServers extends Pick<Servers, 'kafka' | 'mongo' | 'eventStore'> {
  /** The folder of their data. */
  dir: string;
  addresses: Addresses;
  /** Stops them and deletes their data. */
  stop(): Promise<void>;
}

/** Starts servers on free ports and in a folder of their own, so that a test may stop and kill them. */
export async function startOwnServers(): Promise<OwnServers> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  const ports = { kafka: 0, mongo: 0, 'event-store': 0 };
  const servers = await openServers({ dir, ports });
  const { kafka, mongo, eventStore } = servers;
  const stop = async (): Promise<void> => {
    await Promise.all([kafka, mongo, eventStore].map((server) => server.kill9()));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await servers.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const addresses = serversAt({ KAFKA_BROKERS: kafka.url, MONGODB_URL: mongo.url, EVENT_STORE_URL: eventStore.url });
  return { dir, kafka, mongo, eventStore, addresses, stop };
}
