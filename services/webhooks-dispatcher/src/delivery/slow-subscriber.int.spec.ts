import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { createIds, FakeClock, prefixed, settleTurns } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import type { WebhooksContext } from './context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { storedEvent } from '../event/event.ts';
import { createSend } from '../sending/send.ts';
import { newDelivery } from './delivery.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';
import { CONTRACT_DELAYS } from './schedule.ts';
import { createDeliveryWorker } from './worker.ts';

const ENDPOINTS = 40;
const EACH = 40;
const VICTIMS = 5;
/** By which all are delivered, by the fake clock. */
const MOST_S = 300;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('delivers to others at the same origin while 40 endpoints of one account answer after 29 s, and records every outcome', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slow-'));
  const engine = Engine.open(folder, { durable: false });
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => engine.close(),
  );
  const clock = new FakeClock();
  const began = clock.now();
  const calls: { path: string; at: number }[] = [];
  const sends = { begun: 0, closed: 0, ended: 0 };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.push({ path, at: clock.now() - began });
    response.once('close', () => (sends.closed += 1));
    void (path.startsWith('/slow') ? clock.sleep(29_000) : Promise.resolve()).then(() => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const allowed = new Set([origin]);
  const outgoing = createSend({ clock, resolve: async () => [], allowed });
  closing.push(() => outgoing.close());
  const context: WebhooksContext = {
    ...rowsOn(engine),
    bus: busAt(0),
    clock,
    logger: silent,
    ring: { encrypt: (text) => text, decrypt: (text) => Buffer.from(text) },
    resolve: async () => [],
    allowed,
    delays: CONTRACT_DELAYS,
    publicUrl: '',
    lookEvery: 1_000,
  };
  const worker = createDeliveryWorker(context, async (...request) => {
    sends.begun += 1;
    return outgoing.send(...request).finally(() => (sends.ended += 1));
  });
  /** Real connections take real time, so the fake clock waits until every send that has not ended is at the server. */
  const advance = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await until(() => sends.begun - sends.ended === calls.length - sends.closed);
    await settleTurns();
  };
  const event = storedEvent({ event: customerCreated, type: 'customer.created' });
  await context.events.insert(event);
  const ids = createIds(clock);
  const endpoint = (account: string, id: string): Endpoint => ({ ...shopEndpoint(), _id: id, account, place: id, url: `${origin}/${id}` });
  const due = (to: Endpoint) => ({
    ...newDelivery({ ...event, account: to.account }, to, clock.now()),
    _id: prefixed('whd', ids.next()),
  });
  const called = (path: string): number => calls.filter((call) => call.path.startsWith(path)).length;

  const slow = Array.from({ length: ENDPOINTS }, (_, n) => endpoint('acct_slow', `slow${n}`));
  const victims = Array.from({ length: VICTIMS }, (_, n) => endpoint(`acct_${n}`, `victim${n}`));
  await context.endpoints.write([...slow, ...victims].map((insert) => ({ insert })));
  await context.deliveries.write(slow.flatMap((one) => Array.from({ length: EACH }, () => ({ insert: due(one) }))));
  worker.start();
  await advance(0);
  for (const [n, victim] of victims.entries()) {
    await context.deliveries.insert(due(victim));
    await advance(1_000);
    expect(called('/victim')).toBe(n + 1);
    expect((calls.at(-1)?.at ?? 0) / 1_000).toBe(n + 1); // Found by the next look and sent at once.
  }
  expect(called('/slow')).toBeGreaterThan(1_200);
  expect(called('/slow')).toBeLessThan(1_500); // Most of the 2,048 permits, but not all.

  const delivered = (): Promise<number> => context.deliveries.count({ status: 'succeeded' });
  for (let n = 0; n < MOST_S && (await delivered()) < ENDPOINTS * EACH + VICTIMS; n += 1) await advance(1_000);
  expect(await delivered()).toBe(ENDPOINTS * EACH + VICTIMS);
  expect(calls).toHaveLength(ENDPOINTS * EACH + VICTIMS); // Each was sent once and its outcome recorded.
  await worker.stop();
});
