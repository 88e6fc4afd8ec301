// Load from this process, on the processors that the server does not use, and what is made of the figures.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import autocannon from 'autocannon';
import { Client, Pool } from 'undici';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Requests before a case is measured: the code that it runs through is compiled by then. */
export const WARM = 20_000;
const CONNECTIONS = 64;
/** A server that stands still is measured, too. */
const PATIENCE_MS = 300_000;
const TICK_MICROS = 10_000;
const [LOOK_EVERY_MS, LOOKS, REST_WITHIN_MS] = [10, 20, 10_000];

/**
 * One round of load, for some seconds or of `amount` requests. The server's processor time counts until it is at rest. `vary` changes a request before
 * it is sent; `hear` gets the body of each answer.
 * @returns {Promise<{ perSecond, cpuMicros, p50, p99, wrong, waited, requests }>} wrong: responses other than 2xx, and errors; waited: the share of the time
 * that the server waited for its processor.
 */
export async function load(
  server,
  { url, method = 'GET', headers = {}, body, connections = CONNECTIONS, seconds = 2, amount, vary, hear },
) {
  isApart ??= keepApart();
  const [before, waited, began] = [server.cpu(), server.waitedMs?.(), performance.now()];
  const onResponse = hear && ((status, text) => status < 300 && hear(text));
  const result = await autocannon({
    url,
    connections,
    ...(amount ? { amount } : { duration: seconds }),
    requests: [{ method, headers, ...(body && { body }), ...(vary && { setupRequest: vary }), ...(hear && { onResponse }) }],
  });
  await atRest(server);
  const requests = result['2xx'] + result.non2xx;
  return {
    perSecond: requests / result.duration,
    cpuMicros: (server.cpu() - before) / requests,
    p50: result.latency.p50,
    p99: result.latency.p99,
    wrong: result.non2xx + result.errors + result.timeouts,
    waited: (server.waitedMs?.() - waited) / (performance.now() - began),
    requests,
  };
}

let isApart;
/** Keeps this process off processor 0, where there are others and `taskset` is installed. */
const keepApart = () => cpus().length > 1 && spawnSync('taskset', ['-apc', `1-${cpus().length - 1}`, String(process.pid)]);

/**
 * True when for 200 ms the server's processor time has stood still, and no thread of it has mostly been running, or waiting for a processor or the disk; false
 * where that has not happened within 10 s.
 */
export async function atRest(server) {
  let [cpu, busy] = [server.cpu(), 0];
  for (let looks = 1; looks <= REST_WITHIN_MS / LOOK_EVERY_MS; looks += 1) {
    await sleep(LOOK_EVERY_MS);
    if (server.isBusy()) busy += 1;
    if (looks % LOOKS > 0) continue;
    if (server.cpu() - cpu <= TICK_MICROS && busy < LOOKS / 4) return true;
    [cpu, busy] = [server.cpu(), 0];
  }
  return false;
}

/** Milliseconds of each request of some seconds, sent one after the other on one connection. Throws for an answer other than 2xx. */
export async function oneByOne({ url, method = 'GET', headers = {}, body, seconds = 2 }) {
  const { origin, pathname: path } = new URL(url);
  const client = new Client(origin);
  const times = [];
  const end = performance.now() + seconds * 1000;
  for (let at = performance.now(); at < end; at = performance.now()) {
    const answer = await client.request({ path, method, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
    times.push(performance.now() - at);
  }
  await client.close();
  return times;
}

/** Connections to a server of the product; `get` and `post` answer the resource and throw for an answer other than 2xx. */
export function open({ url, key }, connections = CONNECTIONS) {
  const pool = new Pool(url, { connections, connect: { timeout: PATIENCE_MS } });
  async function send(method, path, body) {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await pool.request({ path, method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  }
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body), close: () => pool.close() };
}

/** Works on each of the items, on some at a time. */
export async function each(items, work, atOnce = CONNECTIONS) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Calls `work(n, due)` this many times a second, whether or not earlier calls are done: `due` is the time at which it should begin. Resolves when all are done. */
export async function steadily(rate, seconds, work) {
  const began = performance.now();
  const pending = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const due = began + (n * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    pending.push(work(n, due));
  }
  await Promise.all(pending);
}

export const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
export const median = (values) => quantile(values, 0.5);

/** Rows with a goal: not ok where the figure is worse than three quarters of it. */
export const atLeast = (figure, value, goal) => ({ figure, value, goal: `>= ${goal}`, ok: value >= goal * 0.75 });
export const atMost = (figure, value, goal) => ({ figure, value, goal: `<= ${goal}`, ok: value <= goal / 0.75 });
export const none = (figure, value) => ({ figure, value, goal: '0', ok: value === 0 });
/** The same for an absolute time, which depends on the machine: it is shown beside its goal and fails nothing. */
export const aim = (figure, value, goal) => ({ figure, value, goal: `<= ${goal}`, ok: value <= goal || 'slower' });
/** A row without a goal. */
export const shown = (figure, value, more = {}) => ({ figure, value, goal: '', ok: true, ...more });
