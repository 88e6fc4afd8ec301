import { client, eventually, startProcesses, startReceiver, type Processes } from '@svc/testkit';
import { HUGE } from '../../e2e/testing/accounts.ts';
import { everything, sleep, type Invoice } from '../../e2e/testing/retrying-client.ts';
import { openAccountOf } from './account.ts';
import { startMixedLoad, type MixedLoad } from './mixed-load.ts';
import { consumption } from './queues.ts';
import { logCrashes } from './log-crashes.ts';
import { steadyClient } from './steady-client.ts';

const PER_SECOND = 50;
const SERVICES = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];

export interface RollingRestart {
  /** How many of the two replicas of each service are restarted. */
  ofEachService: 1 | 2;
  /** Ramp-up of the load before the first restart. */
  riseMs: number;
}

/** Defines the test that no request fails while replicas restart under load. */
export function testRollingRestart({ ofEachService, riseMs }: RollingRestart): void {
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let system: Processes;
  let running: MixedLoad | undefined;
  beforeAll(async () => {
    receiver = await startReceiver();
    system = await startProcesses({ replicas: 2, env: { WEBHOOKS_ALLOW: receiver.origin, LINGER: '1s' } });
  });
  afterAll(async () => {
    await running?.stop();
    await system?.stop();
    await receiver.close();
  });

  test(`fails no request while ${ofEachService} of two replicas of each service restart under up to ${PER_SECOND} requests a second`, async () => {
    const account = await openAccountOf(system, 'Rolling', HUGE);
    const call = client(`${system.gateways[0]}/v1`, account.test_key);
    const hook = { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'x' };
    expect((await call('POST', '/webhooks', { body: hook })).status).toBe(201);
    const customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } })).body;

    const http = steadyClient(
      system.replicasOf('gateway').map(({ url, ops }) => ({ url, readyz: `${ops}/readyz` })),
      account.test_key,
    );
    const load = (running = startMixedLoad(http, customer.id, { perSecond: PER_SECOND, riseMs }));
    const started = performance.now();
    const times: string[] = [];
    await sleep(riseMs + 5000);
    expect(load.failed).toEqual([]); // Otherwise the rest would not test restarts.
    for (const service of SERVICES)
      for (const replica of system.replicasOf(service).slice(0, ofEachService)) {
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
    console.log(`${times.join('\n')}\n${load.sent()} requests; the slowest: ${load.longest()}`);
    logCrashes(system);

    expect(load.failed).toEqual([]);
    expect(load.sent()).toBeGreaterThan(PER_SECOND * 2 * times.length);
    expect(http.redirected()).toBeGreaterThan(0);
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
}
