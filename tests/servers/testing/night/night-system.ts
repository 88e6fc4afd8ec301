import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, newNamespace, root, serversAt, supervise, type Call, type Replica } from '@svc/testkit';
import { createTopics } from '@svc/testkit/create-topics';
import { freePlaces, processesOf, services } from '../../../../tools/services.mjs';
import { openServers } from '../../../../rig/servers/start-servers.mjs';
import { startTlsFront, type TlsFront } from './tls-front.ts';

/** Five processes, the sandbox's authority behind TLS, and servers of their own, of which the event store has a small disk. */
export interface NightSystem {
  folder: string;
  namespace: string;
  servers: Awaited<ReturnType<typeof openServers>>;
  /** The folder of the event store, which is a disk of its own. */
  smallDisk: string;
  authority: TlsFront;
  /** Operators' ports by service. */
  opsPorts: ReadonlyMap<string, number>;
  api: Call;
  /** What `svc admin` of a service prints. */
  svcAdmin(service: string, ...words: string[]): string;
  stop(): Promise<void>;
}

const SIMULATOR = 'authority-simulator';
const OPS_TOKEN = randomBytes(24).toString('hex');
const LIMITS = { plan: 1_000_000, burst: 100_000, submit: 100_000, receipts: 100_000, reports: 100_000 };
/** The event store's log before the disk is filled takes some megabytes. */
const DISK = '64m';

export async function startNightSystem(): Promise<NightSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-night-'));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of undo.reverse()) await step();
    undo.length = 0;
  };
  try {
    const smallDisk = join(folder, 'servers', 'event-store');
    mkdirSync(smallDisk, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', smallDisk]);
    undo.push(() => execFileSync('umount', ['--lazy', smallDisk]));
    const servers = await openServers({ dir: join(folder, 'servers'), ports: { kafka: 0, mongo: 0, 'event-store': 0 } });
    undo.push(() => Promise.all([servers.kafka, servers.mongo, servers.eventStore].map((server) => server.kill9())));
    await servers.start();
    const namespace = newNamespace();
    const { env } = serversAt(servers.env as Parameters<typeof serversAt>[0]);
    await createTopics({ brokers: env.KAFKA_BROKERS.split(','), namespace, replicas: 1 });

    const places = await freePlaces();
    const portOf = (service: string): { port: number; opsPort: number } => (places[service] as { port: number; opsPort: number }[])[0]!;
    const authority = await startTlsFront(`http://127.0.0.1:${portOf(SIMULATOR).port}`);
    undo.push(authority.stop);
    const adminToken = randomBytes(24).toString('hex');
    const replicas = processesOf({
      places,
      servers: env,
      namespace,
      secrets: { ...newKeys(), adminToken },
      publicUrl: `http://127.0.0.1:${portOf('gateway').port}`,
      ledgerFile: join(folder, 'authority.sqlite'),
      env: { LOG_LEVEL: 'warn', AUTHORITY_PACE: 'fast', OPS_TOKEN },
    }).map((process) =>
      supervise(process.service === 'fiscal-submission' ? { ...process, env: { ...process.env, ...authority.env } } : process),
    );
    undo.push(() => Promise.all(replicas.map((replica: Replica) => replica.stop('SIGKILL'))));
    await Promise.all(replicas.map((replica: Replica) => replica.start()));

    const opsPorts = new Map(services.filter((service) => service !== SIMULATOR).map((service) => [service, portOf(service).opsPort]));
    const admin = client(`http://127.0.0.1:${portOf('gateway').opsPort}/admin`, adminToken);
    const { body } = await admin<{ test_key: string }>('POST', '/accounts', {
      body: { name: 'Night', plan: 'enterprise', limits: LIMITS },
    });
    return {
      ...{ folder, namespace, servers, smallDisk, authority, opsPorts, stop },
      api: client(`http://127.0.0.1:${portOf('gateway').port}/v1`, body.test_key),
      svcAdmin(service, ...words) {
        const program = join(root, 'services', service, 'dist', 'bundle', 'svc.mjs');
        const own = { ...process.env, OPS_PORT: String(opsPorts.get(service)), OPS_TOKEN };
        const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'admin', ...words], { encoding: 'utf8', env: own });
        if (status !== 0) throw new Error(stderr);
        return stdout;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const key = (): string => randomBytes(32).toString('base64');

/** Keys of each service, and for the gateway the keys of all. */
function newKeys(): { secretsKeys: Record<string, string>; internalKeys: Record<string, string> } {
  const own = services.map((service) => [service, `k1:${key()}`] as const);
  return {
    secretsKeys: Object.fromEntries(services.map((service) => [service, `v1:${key()}`])),
    internalKeys: { ...Object.fromEntries(own), gateway: own.map(([service, entry]) => `${service}.${entry}`).join() },
  };
}
