import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@svc/contracts/events/envelope';
import { embeddedDocumentStore } from '@svc/document-store';
import { asRestored } from '@svc/document-store/restored';
import { Engine } from '@svc/embedded';
import { FakeClock, prefixed, firstUidAt } from '@svc/kernel';
import { Health } from '@svc/service';
import { FanOut } from './delivery/fan-out.ts';
import { busAt, customerCreated, rowsOn, shopEndpoint, silent, idleWorker } from './delivery/testing/rows.ts';
import { WebhooksModule, type WebhooksAdapters } from './webhooks.module.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
const engine = Engine.open(folder, { durable: false });
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

test('only the first start after a restore cancels deliveries: later ones leave those of events older than that start', async () => {
  const clock = new FakeClock(NOW);
  const documents = embeddedDocumentStore(engine, 'svc_webhooks');
  const { endpoints, ...rows } = rowsOn(engine);
  const start = () =>
    WebhooksModule.forRoot({
      ...{ documents, clock, logger: silent, health: new Health(), allowed: [], delays: [1_000], publicUrl: 'http://localhost' },
      ...({ bus: busAt(100), ring: {} } as unknown as Pick<WebhooksAdapters, 'bus' | 'ring'>),
    });
  const fanOut = (id: string) =>
    new FanOut({ ...rows, endpoints, clock, bus: busAt(100) } as never, idleWorker(rows)).on([{ ...customerCreated, id }], {
      topic: topics.customer,
      positions: [],
    });
  const statuses = async () => (await Array.fromAsync(rows.deliveries.find({}, { sort: { _id: 1 } }))).map(({ status }) => status);

  await start();
  await endpoints.insert({ ...shopEndpoint(), created_at: '2026-01-01T00:00:00.000Z' });
  await fanOut(prefixed('evt', firstUidAt(NOW - 60_000)));
  await asRestored(documents, clock);
  await start();
  expect(await statuses()).toEqual(['cancelled']);
  await fanOut(prefixed('evt', firstUidAt(NOW - 5_000))); // stored after the restore, before the first dispatcher started
  await start();
  expect(await statuses()).toEqual(['cancelled', 'pending']);
});
