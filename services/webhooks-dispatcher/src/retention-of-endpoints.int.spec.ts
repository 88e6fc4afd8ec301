import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRetention, embeddedDocumentStore } from '@svc/document-store';
import { createIds, FakeClock, iso, settleTurns } from '@svc/kernel';
import { newDelivery } from './delivery/delivery.ts';
import { answer, openProcess } from './delivery/testing/process.ts';
import { customerCreated, shopEndpoint, silent } from './delivery/testing/rows.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Recovery } from './endpoint/recovery.ts';
import { storedEvent } from './event/event.ts';
import { retentionsOf } from './retention.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-endpoints-'));
const clock = new FakeClock();
const { engine, context, worker } = openProcess(folder, { clock, lookEvery: DAY, send: () => answer(200) });
afterAll(async () => {
  const stopped = worker.stop();
  await clock.advance(15_000);
  await stopped;
  engine.close();
  rmSync(folder, { recursive: true });
});

const advance = (ms: number): Promise<void> => clock.advance(ms, () => settleTurns(30));
/** Two passes over all collections: an endpoint goes behind its deliveries. */
async function removeOld(): Promise<void> {
  const documents = embeddedDocumentStore(engine, 'svc_webhooks');
  const running = createRetention({ documents, clock, logger: silent, of: retentionsOf(context) }).start();
  await advance(24 * MINUTE);
  await running.stop();
}
const idsIn = async (rows: AsyncIterable<{ _id: string }>): Promise<string[]> => (await Array.fromAsync(rows)).map(({ _id }) => _id).sort();
const left = async (): Promise<string[][]> => [await idsIn(context.endpoints.find({})), await idsIn(context.recoveries.find({}))];

test('a deleted endpoint goes with the last of its log, and its recovery with it; one whose deletion the audit does not know yet stays', async () => {
  const at = clock.now();
  const deleted = (_id: string): Endpoint => ({ ...shopEndpoint(), _id, place: _id, deleted: true, deleted_at: iso(at) });
  const endpoints = [deleted('we_logged'), deleted('we_empty'), { ...deleted('we_unpublished'), unpublished: [{} as never] }];
  for (const endpoint of [...endpoints, { ...shopEndpoint(), _id: 'we_live' }]) {
    await context.endpoints.insert(endpoint);
    await context.recoveries.insert({ _id: endpoint._id, version: 1, due_at: null, status: 'done' } as Recovery);
  }
  const event = storedEvent({
    event: { ...customerCreated, id: `evt_${createIds(clock).next()}`, time: iso(at) },
    type: 'customer.created',
  });
  const attempts = [{ at: iso(at + 30 * DAY) } as never]; // redelivered
  const delivery = newDelivery(event, endpoints[0] as Endpoint, at);
  await context.deliveries.insert({ ...delivery, status: 'succeeded', due_at: null, next_at: null, attempts });

  await advance(29 * DAY);
  await removeOld();
  expect((await left())[0]).toHaveLength(4);
  await advance(2 * DAY);
  await removeOld();
  expect(await left()).toEqual(Array(2).fill(['we_live', 'we_logged', 'we_unpublished']));
  await advance(3 * DAY);
  await removeOld();
  expect(await left()).toEqual(Array(2).fill(['we_live', 'we_unpublished']));
});
