import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './client.ts';
import { freePorts, startProgram, untilReady, type End } from './program.ts';
import { forget, newNamespace, serversFromEnvironment, type NamespacedServers } from './servers.ts';

/** The built program on free ports and a data folder of its own, as an operator has it. */
export interface System {
  /** Public origin, e.g. http://127.0.0.1:40001 */
  url: string;
  ops: string;
  /** All operators' ports. Separate services log theirs, with LOG_LEVEL=info. */
  allOps(): string[];
  simulator: string;
  dataDir: string;
  setup: { account_id: string; test_key: string; live_key: string; admin_token: string };
  /** The servers and namespace of separate services. */
  servers?: NamespacedServers;
  output(): string;
  /** Its first process; the only one of a system in one process. */
  pid: number;
  /** Signals the whole process group and waits for its end. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<End>;
  /** Starts again with the same folder, servers and ports. */
  restart(): Promise<System>;
  /** Ends it, and removes its folder, databases and topics. */
  stop(): Promise<void>;
}

const STANDALONE = 'services/standalone/dist/start.mjs';
const SERVICES = 'tools/start-services.mjs';

/**
 * Runs a program to its end, by default the one-process one, for failing starts and `--help`. Kills it after `endMs`, by default two minutes. `stdout`: an
 * open file for what it prints.
 */
export async function runProgram({
  file = STANDALONE,
  env = {},
  args = [],
  endMs = 120_000,
  stdout,
}: {
  file?: string;
  env?: Record<string, string>;
  args?: string[];
  endMs?: number;
  stdout?: number;
}) {
  const program = startProgram(file, { args, env, stdout });
  const tooLong = setTimeout(() => void program.kill(), endMs);
  const { code } = await program.exit;
  clearTimeout(tooLong);
  return { code, output: program.output() };
}

/** How a system runs: one process on the embedded engine, or separate services on the servers of the environment. */
export type Kind = 'one process' | 'services';

/** Starts a system: separate services when SYSTEM=services is set, else one process. */
export const startSystem = (env: Record<string, string> = {}, folder?: string): Promise<System> =>
  startAs(process.env['SYSTEM'] === 'services' ? 'services' : 'one process', env, folder);

export async function startAs(kind: Kind, env: Record<string, string> = {}, folder?: string): Promise<System> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'svc-system-'));
  const { PORT, OPS_PORT, SIMULATOR_PORT, NAMESPACE = newNamespace() } = env;
  const ports = { ...(await freePorts()), ...defined({ PORT, OPS_PORT, SIMULATOR_PORT }) };
  const servers = kind === 'services' ? { ...serversFromEnvironment(), namespace: NAMESPACE } : undefined;
  const setupFile = join(dataDir, 'setup.json');
  const program = startProgram(servers ? SERVICES : STANDALONE, {
    env: {
      LOG_LEVEL: 'warn',
      AUTHORITY_PACE: 'fast',
      ...env,
      ...ports,
      ...(servers && { ...servers.env, NAMESPACE }),
      DATA_DIR: join(dataDir, 'data'),
      SETUP_FILE: setupFile,
    },
  });
  const ops = `http://127.0.0.1:${ports.OPS_PORT}`;
  try {
    await untilReady(`${ops}/readyz`, program);
    await eventually(() => program.output().includes('"msg":"ready"'), 'the word that it is ready');
  } catch (error) {
    await program.kill();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${ports.PORT}`,
    ops,
    allOps: () => (servers ? opsPortsIn(program.output()).map((port) => `http://127.0.0.1:${port}`) : [ops]),
    simulator: `http://127.0.0.1:${ports.SIMULATOR_PORT}`,
    dataDir,
    setup: JSON.parse(readFileSync(setupFile, 'utf8')) as System['setup'],
    ...(servers && { servers }),
    output: program.output,
    pid: program.pid,
    kill: program.kill,
    restart: () => startAs(kind, { ...env, ...ports, ...(servers && { NAMESPACE }) }, dataDir),
    async stop() {
      // One process is killed, because a drain would wait for this client's idle connections. Separate services are stopped by their
      // supervisor.
      await program.kill(servers ? 'SIGTERM' : 'SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
      if (servers) await forget(servers);
    },
  };
}

const opsPortsIn = (log: string): string[] => [...log.matchAll(/"ops":(\d+)/g)].map(([, port]) => port as string);

const defined = (all: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
