import { randomUUID } from 'node:crypto';
import { client, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from '../testing/account.ts';
import { type OwnServers, startOwnServers } from '../testing/own-servers.ts';

const PER_SECOND = 15;
const AWAY_MS = 10_000;
/** A server counts as away after 2 s: what waits for it is refused then. A write to EventStoreDB that began before that has its own time. */
const NOTICED_MS = 2_000;
/** For a refusal, which waits for no server: three of four where the machine is not busy, and at all. */
const AT_ONCE_MS = 200;
const AT_ALL_MS = 3_000;
/** A request beside it that needs no server and took longer shows a machine that had something else to do. */
const FINE_MS = 100;
/** From the server's return until nothing is refused. */
const BACK_MS = 2_000;

let servers: OwnServers;
let system: Processes;
beforeAll(async () => {
  servers = await startOwnServers();
  system = await startProcesses({ replicas: 1, servers: servers.addresses });
});
afterAll(async () => {
  await system?.discard();
  await servers?.stop();
});

interface Done {
  what: string;
  status: number;
  retryAfter: number;
  begunMs: number;
  tookMs: number;
  /** What needs no server, sent at the same time. */
  besideMs: number;
}

test.each([
  { kind: 'mongo', how: 'hangs', goesOn: ['read', 'create'] },
  { kind: 'mongo', how: 'is killed', goesOn: ['read', 'create'] },
  { kind: 'eventStore', how: 'hangs', goesOn: ['report', 'events'] },
  { kind: 'eventStore', how: 'is killed', goesOn: ['report', 'events'] },
] as const)(
  'while $kind $how, what needs it is refused at once and the rest goes on; all is done again soon after its return',
  async ({ kind, how, goesOn }) => {
    const { test_key } = await openAccountOf(system, kind, HUGE);
    const call = client(`${system.gateways[0]}/v1`, test_key);
    const operators = client(system.ops);
    const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
    const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
    const { id } = (await call<{ id: string }>('POST', '/invoices', { body })).body;
    const requests: Record<string, () => ReturnType<typeof call>> = {
      read: () => call('GET', `/invoices/${id}`),
      create: () => call('POST', '/invoices', { body }),
      list: () => call('GET', '/invoices', { query: { per_page: 5 } }),
      keyed: () => call('POST', '/invoices', { body, headers: { 'idempotency-key': randomUUID() } }),
      report: () => call('GET', '/reports/sales', { query: { from: '2026-01-01', to: '2026-12-31' } }),
      events: () => call('GET', '/events', { query: { per_page: 5 } }),
    };
    const names = Object.keys(requests);
    for (const name of names) expect((await requests[name]?.())?.status).toBeLessThan(300);

    const server = servers[kind];
    const began = Date.now();
    const under: Promise<Done>[] = [];
    const send = async (what = names[under.length % names.length] ?? ''): Promise<Done> => {
      const begunMs = Date.now() - began;
      const since = (): number => Date.now() - began - begunMs;
      const beside = operators('GET', '/healthz').then(since);
      const { status = 0, headers } = (await requests[what]?.()) ?? {};
      return { ...{ what, status, begunMs, tookMs: since() }, retryAfter: Number(headers?.get('retry-after')), besideMs: await beside };
    };
    const sendFor = async (ms: number): Promise<void> => {
      for (const until = Date.now() + ms; Date.now() < until; await sleep(1_000 / PER_SECOND)) under.push(send());
    };
    await (how === 'hangs' ? server.pause() : server.kill9());
    await sendFor(AWAY_MS);
    const returns = Date.now() - began;
    await (how === 'hangs' ? server.resume() : server.start());
    const back = Date.now() - began;
    await sendFor(2 * BACK_MS + 2_000);

    const all = await Promise.all(under);
    const away = all.filter(({ begunMs, tookMs }) => begunMs > NOTICED_MS && begunMs + tookMs < returns);
    /** From when the server was away. */
    const waited = ({ begunMs, tookMs }: Done): number => Math.min(tookMs, begunMs + tookMs - NOTICED_MS);
    const refused = all.filter(({ status, begunMs, tookMs }) => status === 503 && begunMs + tookMs < returns);
    const judged = refused.filter(({ besideMs }) => besideMs <= FINE_MS).map(waited);
    const slowest = Math.max(...refused.map(waited));
    const last = Math.max(0, ...all.filter(({ status }) => status >= 300).map(({ begunMs, tookMs }) => begunMs + tookMs - back));
    const isBusy = all.some(({ begunMs, besideMs }) => begunMs >= returns && begunMs <= back + BACK_MS && besideMs > FINE_MS);
    console.log(
      `${kind} ${how}: ${refused.length} were refused, within ${slowest} ms, ${judged.length} of them beside a fast request and ` +
        `${judged.filter((ms) => ms <= AT_ONCE_MS).length} of these within ${AT_ONCE_MS} ms; the last one ${last} ms after its return${isBusy ? ', on a busy machine' : ''}`,
    );
    expect(refused.length).toBeGreaterThan(10);
    expect(judged.filter((ms) => ms > AT_ONCE_MS).length).toBeLessThanOrEqual(judged.length / 4);
    expect(judged.filter((ms) => ms > AT_ALL_MS)).toEqual([]);
    expect(refused.filter(({ retryAfter }) => !(retryAfter >= 1))).toEqual([]);
    expect(away.filter(({ status, what }) => status >= 300 && (status !== 503 || goesOn.some((name) => name === what)))).toEqual([]);
    expect(last).toBeLessThan(isBusy ? 2 * BACK_MS : BACK_MS);
  },
);
