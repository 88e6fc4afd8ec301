import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@svc/kernel/testing/free-port';
import { eventually } from './client.ts';
import { root } from './program.ts';
import { forget, newNamespace, serversFromEnvironment, type NamespacedServers, type Servers } from './servers.ts';
import { supervise, type Replica } from './supervise.ts';

/** The services as separate processes, several of each. */
export interface Processes {
  /** Public origins. */
  gateways: string[];
  /** The first gateway's operators' port. */
  ops: string;
  adminToken: string;
  simulator: string;
  servers: NamespacedServers;
  replicas: Replica[];
  replicasOf(service: string): Replica[];
  /** Ends all processes at once; none is started again before `startAll`. */
  stopAll(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves when all are ready. */
  startAll(): Promise<void>;
  /** Ends all processes and drops their databases and topics. */
  stop(): Promise<void>;
}

export interface ProcessesOptions {
  /** Of each service. The authority simulator, which is no part of the product, has one process. */
  replicas: number;
  /** Number of gateways, where it differs. */
  gateways?: number;
  /** Defaults to the servers of the environment. */
  servers?: Servers;
  env?: Record<string, string>;
}

/** The interface of tools/services.mjs, the table of processes. */
interface Table {
  services: string[];
  processesOf(
    settings: object,
  ): { name: string; service: string; main: string; env: Record<string, string>; url: string; health: string }[];
}

const SIMULATOR = 'authority-simulator';

export async function startProcesses({ replicas: count, gateways = count, servers, env = {} }: ProcessesOptions): Promise<Processes> {
  const namespaced: NamespacedServers = { ...(servers ?? serversFromEnvironment()), namespace: newNamespace() };
  const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'));
  const table = (await import(new URL('tools/services.mjs', `file://${root}`).href)) as Table;
  const countOf = (service: string): number => (service === SIMULATOR ? 1 : service === 'gateway' ? gateways : count);
  const places: Record<string, { port: number; opsPort: number }[]> = {};
  for (const service of table.services) {
    places[service] = [];
    for (let n = 0; n < countOf(service); n += 1) places[service].push({ port: await freePort(), opsPort: await freePort() });
  }
  const adminToken = `adm_${randomBytes(24).toString('base64url')}`;
  const [front] = places['gateway'] as [{ port: number; opsPort: number }];
  const { createTopics } = await import('./create-topics.ts');
  const topics = { brokers: namespaced.kafkaBrokers.split(','), namespace: namespaced.namespace, replicas: 1 };
  await eventually(() => createTopics(topics), 'topics');

  const replicas = table
    .processesOf({
      places,
      servers: namespaced.env,
      namespace: namespaced.namespace,
      secrets: { ...newKeys(table.services), adminToken },
      publicUrl: `http://127.0.0.1:${front.port}`,
      ledgerFile: join(folder, 'authority.sqlite'),
      env: { LOG_LEVEL: 'warn', AUTHORITY_PACE: 'fast', ...env },
    })
    .map(supervise);
  const replicasOf = (service: string): Replica[] => replicas.filter((replica) => replica.service === service);
  const stopAll: Processes['stopAll'] = async (signal = 'SIGTERM') =>
    void (await Promise.all(replicas.map((replica) => replica.stop(signal))));
  const startAll = async (): Promise<void> => void (await Promise.all(replicas.map((replica) => replica.start())));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await startAll();
  } catch (error) {
    await stopAll('SIGKILL');
    remove();
    throw error;
  }
  return {
    gateways: replicasOf('gateway').map(({ url }) => url),
    ops: `http://127.0.0.1:${front.opsPort}`,
    adminToken,
    simulator: (replicasOf(SIMULATOR)[0] as Replica).url,
    servers: namespaced,
    replicas,
    replicasOf,
    stopAll,
    startAll,
    async stop() {
      await stopAll();
      remove();
      await forget(namespaced);
    },
  };
}

const key = (): string => randomBytes(32).toString('base64');

/** Keys of each service, and for the gateway the keys of all. */
function newKeys(services: string[]): { secretsKeys: Record<string, string>; internalKeys: Record<string, string> } {
  const own = services.map((service) => [service, `k1:${key()}`] as const);
  const gateway = own.map(([service, entry]) => `${service}.${entry}`).join();
  return {
    secretsKeys: Object.fromEntries(services.map((service) => [service, `v1:${key()}`])),
    internalKeys: { ...Object.fromEntries(own), gateway },
  };
}
