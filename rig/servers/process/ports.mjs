// Ports of the loopback address: free ones, and the processes that hold the others.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
const LOWEST = 15_000;
// Below those that tests take for what they start, and those that the system assigns to outgoing connections.
const HIGHEST = 20_000;
const TRIES = 1000;

export function isFree(port, host = HOST) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** @param {number} count @returns {Promise<number[]>} different ports that nothing listens on */
export async function freePorts(count) {
  const found = new Set();
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries === TRIES) throw new Error(`no ${count} free ports between ${LOWEST} and ${HIGHEST}`);
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

/** The process that listens on a port, as far as this user may see: `java, pid 17`. */
export function holderOf(port) {
  const sockets = listening(port).map((inode) => `socket:[${inode}]`);
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && sockets.some((socket) => openFiles(name).includes(socket)));
  return pid ? `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()}, pid ${pid}` : 'another process';
}

function listening(port) {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === '0A')
    .map((fields) => fields[9]);
}

function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // Ended meanwhile, or another user's.
  }
}

function targetOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return ''; // Closed meanwhile.
  }
}
