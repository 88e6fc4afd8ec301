import { client, eventually, startProcesses, startReceiver, type Processes } from '@svc/testkit';
import { HUGE } from '../e2e/testing/accounts.ts';
import { everything, sleep, type Invoice } from '../e2e/testing/retrying-client.ts';
import { openAccountOf } from './testing/account.ts';
import { RISE_MS, startMixedLoad, type MixedLoad } from './testing/mixed-load.ts';
import { consumption } from './testing/queues.ts';
import { logCrashes } from './testing/log-crashes.ts';
import { steadyClient } from './testing/steady-client.ts';

const PER_SECOND = 50;
const SERVICES = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: Processes;
let running: MixedLoad | undefined;
beforeAll(async () => {
  receiver = await startReceiver();
  system = await startProcesses({ replicas: 2, env: { WEBHOOKS_ALLOW: receiver.origin } });
});
afterAll(async () => {
  await running?.stop();
  await system?.stop();
  await receiver.close();
});

test(`fails no request while each of two replicas of each service restarts under up to ${PER_SECOND} requests a second`, async () => {
  const account = await openAccountOf(system, 'Rolling', HUGE);
  const call = client(`${system.gateways[0]}/v1`, account.test_key);
  const hook = { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'x' };
  expect((await call('POST', '/webhooks', { body: hook })).status).toBe(201);
  const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;

  const http = steadyClient(system.gateways, account.test_key);
  const load = (running = startMixedLoad(http, customer.id, PER_SECOND));
  const started = performance.now();
  const times: string[] = [];
  await sleep(RISE_MS + 5000);
  expect(load.failed).toEqual([]); // Otherwise the rest would not test restarts.
  for (const service of SERVICES)
    for (const replica of system.replicasOf(service)) {
      const asked = performance.now();
      const end = await replica.kill('SIGTERM');
      const ended = performance.now();
      await replica.ready();
      const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
      times.push(
        `${replica.name} at ${seconds(started, asked)} s: ended after ${seconds(asked, ended)} s, ready after ${seconds(ended, performance.now())} s`,
      );
      expect([replica.name, end]).toEqual([replica.name, { code: 0, signal: null }]);
    }
  await sleep(2000);
  await load.stop();
  http.close();
  await eventually(async () => (await consumption(system.servers)).every(({ lag }) => lag === 0), 'every event handled', 120_000);
  console.log(`${times.join('\n')}\n${load.sent()} requests, the longest answer after ${load.longest()} ms`);
  logCrashes(system);

  expect(load.failed).toEqual([]);
  expect(load.sent()).toBeGreaterThan(PER_SECOND * 20);
  expect(http.refused()).toBeGreaterThan(0);
  await eventually(
    async () => (await everything<Invoice>(call, '/invoices', { status: 'submitted' })).length === load.submitted.size,
    'every submitted invoice registered',
    20_000, // Less than a claim lasts: a stopping replica finishes or releases its claims.
  );
  expect((await everything<Invoice>(call, '/invoices')).map(({ id }) => id).sort()).toEqual([...load.created].sort());
  await eventually(
    () => new Set(receiver.deliveries.map(({ body }) => body.data.id)).size === load.submitted.size,
    'every webhook',
    20_000, // Less than a claim lasts: a stopping replica finishes or releases its claims.
  );
}, 600_000);
