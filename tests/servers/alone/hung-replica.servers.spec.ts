import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import { startBalancer } from '@svc/gateway/testing/balancer';
import { client, type Call, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { sleep } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from '../testing/account.ts';

const BEHIND = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const PER_SECOND = 20;
const HANGS_MS = 60_000;
const NOTICED_MS = 5_000;
const LATE_MS = 3_000;
/** A request beside it that needs no service and took longer shows a machine that had something else to do. */
const FINE_MS = 100;

const balancers: Server[] = [];
let system: Processes;
/** The first gateway has one address of each service, as that of a Service of Kubernetes; the second those of both replicas. */
beforeAll(async () => {
  const frontOf = async (ports: number[]): Promise<string> => {
    const { origin, server } = await startBalancer(ports.map((port) => ({ port })));
    balancers.push(server);
    return origin;
  };
  system = await startProcesses({ replicas: 2, frontOf });
});
afterAll(async () => {
  await system?.stop();
  for (const server of balancers) server.close();
});

interface Done {
  way: number;
  begunMs: number;
  tookMs: number;
  what: string;
  /** What needs no service, sent at the same time. */
  besideMs: number;
}

/** What each service answers, and writes that carry a key. */
async function requestsOf(call: Call): Promise<(() => ReturnType<Call>)[]> {
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  const body = { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
  const { id } = (await call<{ id: string }>('POST', '/invoices', { body })).body;
  await call('POST', `/invoices/${id}/submit`, { headers: { prefer: 'wait=20' } });
  const keyed = (path: string, sent: object) => () => call('POST', path, { body: sent, headers: { 'idempotency-key': randomUUID() } });
  return [
    () => call('GET', `/invoices/${id}`),
    keyed('/invoices', body),
    () => call('GET', '/webhooks'),
    () => call('GET', '/reports/sales'),
    () => call('GET', `/invoices/${id}/attempts`),
    keyed('/customers', { name: 'Another' }),
    () => call('GET', '/events', { query: { per_page: 5 } }),
    () => call('GET', '/invoices', { query: { per_page: 5 } }),
  ];
}

/** Both ways at once: together they have the requests a second that one has alone, as more of them would wait for a busy machine. */
const ways = ['behind one address', 'behind two addresses'];
test(`while one of two replicas of each service hangs, ${ways.join(' and ')} nothing fails and, once that is noticed, little waits`, async () => {
  const { test_key } = await openAccountOf(system, 'Hung', HUGE);
  const requests = await Promise.all(ways.map((_way, gateway) => requestsOf(client(`${system.gateways[gateway]}/v1`, test_key))));
  const operators = client(system.ops);
  const hung = BEHIND.map((service) => system.replicasOf(service)[1]?.hang());
  const began = Date.now();
  const under: Promise<Done>[] = [];
  for (; Date.now() - began < HANGS_MS; await sleep(1_000 / PER_SECOND)) {
    const begunMs = Date.now() - began;
    const since = (): number => Date.now() - began - begunMs;
    const way = under.length % ways.length;
    const of = requests[way] as (typeof requests)[number];
    const ask = of[Math.floor(under.length / ways.length) % of.length] as (typeof of)[number];
    const beside = operators('GET', '/healthz').then(since);
    const done = ask().then(({ status, text }) => ({ tookMs: since(), what: status < 300 ? 'done' : `${status} ${text}` }));
    under.push(Promise.all([done, beside]).then(([one, besideMs]) => ({ way, begunMs, ...one, besideMs })));
  }
  const all = await Promise.all(under);
  for (const goOn of hung) goOn?.();
  for (const [n, name] of ways.entries()) {
    const own = all.filter(({ way }) => way === n);
    expect([name, own.map(({ what }) => what).filter((what) => what !== 'done')]).toEqual([name, []]);
    const later = own.filter(({ begunMs, besideMs }) => begunMs > NOTICED_MS && besideMs <= FINE_MS);
    const [late, lateOfAll] = [later, own].map((some) => some.filter(({ tookMs }) => tookMs > LATE_MS).length) as [number, number];
    console.log(
      `${name}: of ${own.length} requests ${lateOfAll} took over 3 s, of ${later.length} later ones beside a fast request ${late}`,
    );
    expect([name, late <= later.length / 100]).toEqual([name, true]);
  }
});
