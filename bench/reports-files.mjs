// Files of a report over all documents, sent by a process of their own, and what it grows by meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { nodeOptions } from '../tools/node-options.mjs';
import { aim, atLeast, shown, sleep } from './load.mjs';

const LOOK_EVERY_MS = 50;
const MIB = 2 ** 20;
/** Longer than the buffers of both ends need to be full. */
const UNREAD_MS = 5_000;

/** Resident memory of a process, in bytes, as the system counts it. */
const memoryOf = (pid) => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

/** The most that a process has while something goes on. */
async function mostOf(pid, work) {
  let most = memoryOf(pid);
  const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), LOOK_EVERY_MS);
  const done = await work().finally(() => clearInterval(watch));
  return { most, ...done };
}

/** Reads an answer to its end. */
async function readAll(url) {
  const [response] = await once(get(url), 'response');
  let [lines, bytes] = [0, 0];
  for await (const piece of response) {
    bytes += piece.length;
    for (const byte of piece) if (byte === 10) lines += 1;
  }
  return { lines, bytes };
}

/** Reads nothing for some seconds; then how much had come. */
async function readNothing(url) {
  const [response] = await once(get(url), 'response');
  await sleep(UNREAD_MS);
  response.destroy();
  return {};
}

/** A file of cited documents, one of numbers, and one that its client does not read. */
export async function fileRows(folder) {
  const child = fork(join(import.meta.dirname, 'reports-server.mjs'), [folder], { stdio: 'inherit', execArgv: nodeOptions });
  const [{ url }] = await once(child, 'message');
  const rows = [];
  const started = memoryOf(child.pid);
  // The page cache is full by then, and the heap as large as V8 lets it become with garbage: of any process that has served for a while.
  const { most: served } = await mostOf(child.pid, () => readAll(`${url}/postings`));
  rows.push(shown('a process that reads all postings once grows by, MiB', (served - started) / MIB));
  for (const [name, path] of [
    ['documents cited by sales by customer', '/sales'],
    ['numbers', '/numbering'],
    ['numbers that are in no sums', '/numbering?plain'],
  ]) {
    const before = memoryOf(child.pid);
    const began = performance.now();
    const { most, lines, bytes } = await mostOf(child.pid, () => readAll(`${url}${path}`));
    rows.push(
      aim(`file of ${name}: grows its process by, MiB`, (most - before) / MIB, 64),
      shown('… lines', lines, { seconds: (performance.now() - began) / 1_000 }),
      shown('… MiB', bytes / MIB),
    );
  }
  const before = memoryOf(child.pid);
  const { most } = await mostOf(child.pid, () => readNothing(`${url}/numbering`));
  rows.push(aim('… that is not read: grows its process by, MiB', (most - before) / MIB, 64));
  await sleep(100);
  const [open] = await Promise.all([once(child, 'message'), child.send('open')]);
  rows.push(atLeast('… files closed when their clients are gone', open[0].open === 0 ? 1 : 0, 1));
  child.disconnect();
  await once(child, 'exit');
  return rows;
}
