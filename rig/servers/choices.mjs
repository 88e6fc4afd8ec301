// The servers of a folder and their ports: as requested, as before, or the defaults.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonIn } from './process/daemon.mjs';
import { freePorts, isFree } from './process/ports.mjs';
import { ServersError } from './process/servers-error.mjs';

/** Reached from this machine alone. */
const LOOPBACK = '127.0.0.1';
const USUAL = { kafka: 19092, mongo: 27017, 'event-store': 2113 };

/** @typedef {{ port: number, controllerPort: number }} Node */
/** @typedef {{ address: string, nodes: Node[], mongo: number, 'event-store': number }} Choices */

const fileOf = (folder) => join(folder, 'servers.json');

/** @returns {Choices | undefined} */
function kept(folder) {
  return existsSync(fileOf(folder)) ? JSON.parse(readFileSync(fileOf(folder), 'utf8')) : undefined;
}

const portsOf = (choices) => ({ ...choices, ...Object.fromEntries(choices.nodes.map(({ port }, i) => [`kafka-${i + 1}`, port])) });

/** Stores the choices for later commands. Throws when a running server would need another port. */
export function keep(folder, choices, running) {
  const before = kept(folder);
  const [was, is] = [before?.address ?? LOOPBACK, choices.address];
  if (running.length > 0 && was !== is) throw new ServersError(`the servers run at ${was}: stop them, then start them at ${is}`);
  for (const { name } of before ? running : []) {
    const [now, wanted] = [portsOf(before)[name], portsOf(choices)[name]];
    if (now !== wanted) throw new ServersError(`${name} runs on port ${now} already: stop it, then start it on ${wanted}`);
  }
  writeFileSync(fileOf(folder), `${JSON.stringify(choices, null, 2)}\n`);
}

/**
 * @param {string} folder
 * @param {{ address?: string, brokers?: number, ports?: Partial<Record<keyof USUAL, number>> }} asked port 0: any free one, which the folder then keeps until another process has it
 * @returns {Promise<Choices>}
 */
export async function choose(folder, { address, brokers, ports = {} }) {
  const before = kept(folder);
  const count = brokers ?? before?.nodes.length ?? 1;
  if (before && before.nodes.length !== count)
    throw new ServersError(
      `Kafka in ${folder} has ${before.nodes.length} broker(s) and cannot have ${count}: wipe it, or take another --dir`,
    );
  const [mongo, eventStore, ...free] = await freePorts(2 + 2 * count); // One call, so that no port is chosen twice.
  const listensOn = address ?? before?.address ?? LOOPBACK;
  const known = before && {
    ...before,
    mongo: ports.mongo === 0 && (await isTaken(folder, 'mongo', listensOn, [before.mongo])) ? mongo : before.mongo,
    'event-store':
      ports['event-store'] === 0 && (await isTaken(folder, 'event-store', listensOn, [before['event-store']]))
        ? eventStore
        : before['event-store'],
    nodes: await Promise.all(before.nodes.map((node, i) => stillFree(folder, { node, i, free, wanted: ports.kafka, address: listensOn }))),
  };
  const port = (name, any) => ports[name] || (known?.[name] ?? (ports[name] === 0 ? any : USUAL[name]));
  return {
    address: listensOn,
    nodes: nodes(count, ports.kafka, known?.nodes, free),
    mongo: port('mongo', mongo),
    'event-store': port('event-store', eventStore),
  };
}

/** Whether another process has a port that a server of the folder had: the server itself does not run. */
async function isTaken(folder, name, address, ports) {
  if (daemonIn(join(folder, name)).pid() !== undefined) return false;
  const free = await Promise.all(ports.map((port) => isFree(port, address)));
  return free.includes(false);
}

async function stillFree(folder, { node, i, free, wanted, address }) {
  if (wanted !== 0 || !(await isTaken(folder, `kafka-${i + 1}`, address, [node.port, node.controllerPort]))) return node;
  const [port, controllerPort] = free.slice(2 * i);
  return { port, controllerPort };
}

/** Broker i has the i-th pair of ports (clients' and controllers') from the given one on, or of the free ones. */
function nodes(count, first, before, free) {
  if (!first && before) return before;
  const start = first ?? USUAL.kafka;
  return Array.from({ length: count }, (_, i) => {
    const [port, controllerPort] = first === 0 ? free.slice(2 * i) : [start + 2 * i, start + 2 * i + 1];
    return { port, controllerPort };
  });
}
