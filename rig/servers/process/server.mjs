// A local server: the common part of Kafka's brokers and the emulators of MongoDB and EventStoreDB.
import { mkdirSync, rmSync } from 'node:fs';
import { daemonIn } from './daemon.mjs';
import { holderOf, isFree } from './ports.mjs';
import { isPaused, memoryOf } from './proc.mjs';
import { ServersError } from './servers-error.mjs';
import { within } from './wait.mjs';

/** The last threads of a killed process hold its ports for a moment. */
const LET_GO_WITHIN_MS = 20_000;
const HELD_WITHIN_MS = 5000;
const READY_WITHIN_MS = 120_000;

/**
 * @param {object} of
 * @param {string} of.name as `--only` takes it
 * @param {string} of.folder folder of its data, pid and output
 * @param {string} of.address on which it listens
 * @param {number[]} of.ports all ports that it listens on, the client port first
 * @param {string} of.url connection string of its clients
 * @param {() => Promise<{ command: string, args: string[] }>} of.prepare prepares a start and returns its command
 * @param {() => Promise<boolean>} of.answers whether it responds in its protocol, within a second or two
 */
export function createServer({ name, folder, address, ports, url, prepare, answers }) {
  const process = daemonIn(folder);

  /** Starts it unless it runs, without waiting for it. */
  async function launch() {
    // A paused process would never respond.
    if (process.signal('SIGCONT')) return;
    // Otherwise another server could respond first.
    for (const port of ports) if (!(await within(LET_GO_WITHIN_MS, () => isFree(port, address)))) throw taken(port);
    mkdirSync(folder, { recursive: true });
    const { command, args } = await prepare();
    await process.launch(command, args);
  }

  function taken(port) {
    const kind = name.replace(/-\d$/, '');
    return new ServersError(`${name} cannot start: its port ${port} is taken by ${holderOf(port)}. Choose another: --ports ${kind}=PORT`);
  }

  async function ready() {
    const state = await within(READY_WITHIN_MS, async () => {
      if (process.pid() === undefined) return 'ended';
      return (await answers()) && 'answers';
    });
    if (state === 'answers') return;
    const what = state === 'ended' ? 'ended while it started' : `does not answer after ${READY_WITHIN_MS / 1000} s`;
    throw new ServersError(`${name} ${what}: see ${process.output}`);
  }

  async function start() {
    await launch();
    await ready();
  }

  /** Sends SIGSTOP or SIGCONT; resolves when it has taken effect. */
  async function hold(signal, held) {
    if (!process.signal(signal)) throw new ServersError(`${name} does not run`);
    await within(HELD_WITHIN_MS, () => isPaused(process.pid()) === held);
  }

  async function wipe() {
    await process.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  async function status() {
    const pid = process.pid();
    if (pid === undefined) return { name, port: ports[0], state: 'stopped' };
    const state = isPaused(pid) ? 'paused' : (await answers()) ? 'answers' : 'does not answer';
    return { name, port: ports[0], state, pid, memory: memoryOf(pid) };
  }

  return {
    name,
    url,
    get pid() {
      return process.pid();
    },
    launch,
    ready,
    start,
    stop: process.stop,
    kill9: process.kill9,
    pause: () => hold('SIGSTOP', true),
    resume: () => hold('SIGCONT', false),
    answers,
    status,
    wipe,
  };
}
