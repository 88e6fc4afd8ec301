import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serversAt, type Servers } from '@svc/testkit';

/** The interface of a server of deploy/servers. */
interface Server {
  url: string;
  /** Starts it on its data; resolves when it responds. */
  start(): Promise<void>;
  kill9(): Promise<void>;
  pause(): void | Promise<void>;
  resume(): void | Promise<void>;
  /** Ends it and deletes its data. */
  wipe(): Promise<void>;
}
interface Started {
  kafka: Server;
  mongo: Server;
  eventStore: Server;
  start(): Promise<void>;
}
type Open = (options: { dir: string; ports: Record<string, number> }) => Promise<Started>;

export interface OwnServers extends Omit<Started, 'start'> {
  /** The folder of their data. */
  dir: string;
  addresses: Servers;
  /** Stops them and deletes their data. */
  stop(): Promise<void>;
}

/** Starts servers on free ports and in a folder of their own, so that a test may stop and kill them. */
export async function startOwnServers(): Promise<OwnServers> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-servers-'));
  const ports = { kafka: 0, mongo: 0, 'event-store': 0 };
  const { openServers } = (await import(new URL('../../../../../deploy/servers/start-servers.mjs', import.meta.url).href)) as {
    openServers: Open;
  };
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
