import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@svc/kernel/testing/free-port';
import { eventually } from './client.ts';
import { root } from './program.ts';
import { forget, newNamespace, serversFromEnvironment, type NamespacedServers, type Servers } from './servers.ts';
import { supervise, type Replica, type Supervised } from './supervise.ts';

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
  /** Kills all processes, as their drain would wait for clients that keep connections, and drops their databases and topics. */
  stop(): Promise<void>;
  /** Kills all processes for good. Databases and topics stay, for servers that end with the test. */
  discard(): Promise<void>;
}

export interface ProcessesOptions {
  /** Of each service. The authority simulator, which is no part of the product, has one process. */
  replicas: number;
  /** Numbers of the services that differ. */
  except?: Record<string, number>;
  /** The build from which a replica (from 1) starts: a folder with `services/` and the table of its processes. This repository by default. */
  folderOf?: (service: string, replica: number) => string;
  /** Whether a replica (from 1) waits for its own `start`. None by default. */
  isLater?: (service: string, replica: number) => boolean;
  /** Origin of a balancer before these ports of a service behind the gateways, which the first gateway has in place of its replicas. */
  frontOf?: (ports: number[]) => Promise<string>;
  /** Defaults to the servers of the environment. */
  servers?: Servers;
  env?: Record<string, string>;
  /** Variables of a service's processes besides, as they are. */
  envOf?: (service: string) => Record<string, string>;
}

/** The interface of tools/services.mjs, the table of processes. */
interface Table {
  services: string[];
  processesOf(settings: object): Omit<Supervised, 'folder'>[];
}
const tableOf = async (folder: string): Promise<Table> => (await import(pathToFileURL(join(folder, 'tools/services.mjs')).href)) as Table;

const SIMULATOR = 'authority-simulator';

/** `national`: ports of the national authorities. */
interface Place {
  port: number;
  opsPort: number;
  national?: Record<string, number>;
}

export async function startProcesses({
  replicas: count,
  except = {},
  folderOf = () => root,
  isLater = () => false,
  frontOf,
  servers,
  env = {},
  envOf = () => ({}),
}: ProcessesOptions): Promise<Processes> {
  const namespaced: NamespacedServers = { ...(servers ?? serversFromEnvironment()), namespace: newNamespace() };
  const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'));
  const table = await tableOf(root);
  const countOf = (service: string): number => (service === SIMULATOR ? 1 : (except[service] ?? count));
  const places: Record<string, Place[]> = {};
  for (const service of table.services) {
    places[service] = [];
    for (let n = 0; n < countOf(service); n += 1) places[service].push({ port: await freePort(), opsPort: await freePort() });
  }
  for (const place of places[SIMULATOR] ?? [])
    place.national = { 'al-cis': await freePort(), 'me-efi': await freePort(), 'es-verifactu': await freePort() };
  const fronts: Record<string, string> = {};
  for (const [service, of] of Object.entries(places))
    if (frontOf && service !== 'gateway' && service !== SIMULATOR) fronts[service] = await frontOf(of.map(({ port }) => port));
  const adminToken = `adm_${randomBytes(24).toString('base64url')}`;
  const [front] = places['gateway'] as [Place];
  const { createTopics } = await import('./create-topics.ts');
  const topics = { brokers: namespaced.kafkaBrokers.split(','), namespace: namespaced.namespace, replicas: 1 };
  await eventually(() => createTopics(topics), 'topics');

  const settings = {
    places,
    fronts,
    servers: namespaced.env,
    namespace: namespaced.namespace,
    secrets: { ...newKeys(table.services), adminToken },
    publicUrl: `http://127.0.0.1:${front.port}`,
    ledgerFile: join(folder, 'authority.sqlite'),
    env: { LOG_LEVEL: 'warn', AUTHORITY_PACE: 'fast', ...env },
  };
  const replicas: Replica[] = [];
  const first: Replica[] = [];
  for (const service of table.services)
    for (let n = 0; n < countOf(service); n += 1) {
      const build = folderOf(service, n + 1);
      const ofService = (await tableOf(build)).processesOf(settings).filter((process) => process.service === service);
      const process = ofService[n] as (typeof ofService)[number];
      const replica = supervise({ ...process, env: { ...process.env, ...envOf(service) }, folder: build });
      replicas.push(replica);
      if (!isLater(service, n + 1)) first.push(replica);
    }
  const replicasOf = (service: string): Replica[] => replicas.filter((replica) => replica.service === service);
  const stopAll: Processes['stopAll'] = async (signal = 'SIGTERM') =>
    void (await Promise.all(replicas.map((replica) => replica.stop(signal))));
  const start = async (some: Replica[]): Promise<void> => void (await Promise.all(some.map((replica) => replica.start())));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await start(first);
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
    startAll: () => start(replicas),
    async stop() {
      await stopAll('SIGKILL');
      remove();
      await forget(namespaced);
    },
    async discard() {
      await stopAll('SIGKILL');
      remove();
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
