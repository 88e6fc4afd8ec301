import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import { startBalancer } from '@svc/gateway/testing/balancer';
import { client, type Call, startProcesses, type Processes } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { sleep } from '../e2e/testing/retrying-client.ts';
import { openAccountOf } from './testing/account.ts';

const BEHIND = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
const PER_SECOND = 20;
const KILLED_MS = 8_000;
const HANGS_MS = 60_000;
const NOTICED_MS = 5_000;
const LATE_MS = 3_000;

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
  begunMs: number;
  tookMs: number;
  what: string;
}

/** Asks so many times a second for so long; resolves when all is answered. */
async function askedFor(ms: number, ask: (n: number) => ReturnType<Call>): Promise<Done[]> {
  const began = Date.now();
  const under: Promise<Done>[] = [];
  for (; Date.now() - began < ms; await sleep(1_000 / PER_SECOND)) {
    const begunMs = Date.now() - began;
    under.push(
      ask(under.length).then(({ status, text }) => ({
        ...{ begunMs, tookMs: Date.now() - began - begunMs },
        what: status < 300 ? 'done' : `${status} ${text}`,
      })),
    );
  }
  return Promise.all(under);
}
const failedOf = (all: Done[]): string[] => all.map(({ what }) => what).filter((what) => what !== 'done');

async function bodyOfInvoice(call: Call): Promise<object> {
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;
  return { customer_id: customer.id, items: [{ description: 'x', unit_price: 100 }] };
}

/** A list waits for the lease of a process that died, 4 s, and for what takes it over: less than the 10 s after which it would fail. */
test('a replica that is killed for good fails no list', async () => {
  const { test_key } = await openAccountOf(system, 'Killed', HUGE);
  const call = client(`${system.gateways[1]}/v1`, test_key);
  const body = await bodyOfInvoice(call);
  const slowest: number[] = [];
  // One of both held the leases of the lists at the time it was killed.
  for (const replica of system.replicasOf('invoicing')) {
    await replica.stop('SIGKILL');
    const all = await askedFor(KILLED_MS, async () => {
      await call('POST', '/invoices', { body, headers: { 'idempotency-key': randomUUID() } });
      return call('GET', '/invoices', { query: { per_page: 5 } });
    });
    expect(failedOf(all)).toEqual([]);
    slowest.push(Math.max(...all.map(({ tookMs }) => tookMs)));
    await replica.start();
  }
  console.log(`the slowest lists after each kill: ${slowest.join(' and ')} ms`);
});

/** What each service answers, and writes that carry a key. */
async function requestsOf(call: Call): Promise<(() => ReturnType<Call>)[]> {
  const body = await bodyOfInvoice(call);
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

test('while one of two replicas of each service hangs, nothing fails and, once that is noticed, little waits', async () => {
  const { test_key } = await openAccountOf(system, 'Hung', HUGE);
  const ways = ['behind one address', 'behind two addresses'];
  const requests = await Promise.all(ways.map((_, gateway) => requestsOf(client(`${system.gateways[gateway]}/v1`, test_key))));
  const hung = BEHIND.map((service) => system.replicasOf(service)[1]?.hang());
  const asked = await Promise.all(requests.map((some) => askedFor(HANGS_MS, (n) => (some[n % some.length] as (typeof some)[number])())));
  for (const goOn of hung) goOn?.();
  for (const [gateway, way] of ways.entries()) {
    const all = asked[gateway] as Done[];
    expect([way, failedOf(all)]).toEqual([way, []]);
    const later = all.filter(({ begunMs }) => begunMs > NOTICED_MS);
    const late = later.filter(({ tookMs }) => tookMs > LATE_MS).length;
    console.log(
      `${way}: of ${all.length} requests ${all.filter(({ tookMs }) => tookMs > LATE_MS).length} took over 3 s, of ${later.length} later ones ${late}`,
    );
    expect(late).toBeLessThanOrEqual(later.length / 100);
  }
});
