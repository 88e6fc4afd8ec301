import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection, Doc } from '@svc/document-store';
import type { Engine } from '@svc/embedded';
import { createIds, FakeClock, settleTurns } from '@svc/kernel';
import { storedEvent } from '../event/event.ts';
import type { WebhooksContext } from './context.ts';
import { newDelivery } from './delivery.ts';
import { answer, openProcess, ring, type Rows } from './testing/process.ts';
import { customerCreated, shopEndpoint } from './testing/rows.ts';
import type { DeliveryWorker } from './worker.ts';

let folder: string;
let engine: Engine;
let clock: FakeClock;
let context: WebhooksContext;
let worker: DeliveryWorker;
/** Writes from the answer on until one breaks. */
let left: number;
let breaks: (() => Promise<never>) | undefined;

function open(): void {
  const broken = <D extends Doc>(collection: Collection<D>): Collection<D> => ({
    ...collection,
    async claim(...args) {
      left -= 1;
      if (left !== 0 || !breaks) return collection.claim(...args);
      const how = breaks;
      breaks = undefined;
      return how();
    },
  });
  ({ engine, context, worker } = openProcess(folder, {
    ...{ clock, delays: [], lookEvery: 1_000 },
    breaking: ({ endpoints, deliveries }: Rows) => ({ endpoints: broken(endpoints), deliveries: broken(deliveries) }),
    send: () => answer(410),
  }));
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-gone-'));
  clock = new FakeClock();
  [left, breaks] = [0, undefined];
  open();
  await context.endpoints.insert({ ...shopEndpoint(), revision: 1, secret: ring.encrypt('whsec_AAAA') });
});
afterEach(async () => {
  const stopped = worker.stop();
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

/** The only attempt of a delivery, with a break at the write of this number after its answer. */
async function attempt(write: number, how: () => Promise<never>): Promise<void> {
  const event = storedEvent({ event: { ...customerCreated, id: `evt_${createIds(clock).next()}` }, type: 'customer.created' });
  await context.events.insert(event);
  const endpoint = await context.endpoints.get('we_1');
  if (endpoint) await context.deliveries.insert({ ...newDelivery(event, endpoint, clock.now()) });
  [left, breaks] = [write + 1, how]; // the first is its claim
  worker.wake();
  await settleTurns(50);
  expect(breaks).toBeUndefined();
}

const outcome = async (): Promise<unknown[]> => {
  for (let n = 0; n < 12; n += 1) await clock.advance(10_000); // a claim ends
  const { status, disabled_reason: reason } = (await context.endpoints.get('we_1')) ?? {};
  const [delivery] = await Array.fromAsync(context.deliveries.find({ endpoint_id: 'we_1' }));
  return [status, reason, delivery?.status];
};

describe.each([
  [1, 'failed'],
  [2, 'cancelled'],
])('where write %i after the last 410 of a delivery is not stored, the endpoint is disabled, and the delivery is %s', (write, status) => {
  test('since the process dies', async () => {
    await attempt(write, () => {
      engine.abandon();
      return new Promise(() => undefined);
    });
    open();
    expect(await outcome()).toEqual(['disabled', expect.stringContaining('410'), status]);
  });

  test('since the store refuses it', async () => {
    await attempt(write, () => Promise.reject(new Error('the disk is full')));
    expect(await outcome()).toEqual(['disabled', expect.stringContaining('410'), status]);
  });
});
