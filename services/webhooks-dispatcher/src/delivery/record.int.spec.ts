import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns } from '@svc/kernel';
import { storedEvent } from '../event/event.ts';
import { newDelivery, type Deliveries, type Delivery } from './delivery.ts';
import { createRecorder } from './record.ts';
import { customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';

let folder: string;
let clock: FakeClock;
let engine: Engine;
let deliveries: Deliveries;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  clock = new FakeClock();
  engine = Engine.open(folder, { durable: false });
  ({ deliveries } = rowsOn(engine));
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const row = (n: number): Delivery => ({
  ...newDelivery(storedEvent({ event: customerCreated, type: 'customer.created' }), shopEndpoint(), clock.now()),
  _id: `whd_${n}`,
});
const succeeded = (delivery: Delivery): Delivery => ({
  ...delivery,
  ...{ version: delivery.version + 1, status: 'succeeded', due_at: null, next_at: null },
});
const stored = async (n: number): Promise<string | undefined> => (await deliveries.get(`whd_${n}`))?.status;

test('writes the first row at once and those of the next 20 ms in one write', async () => {
  const writes: number[] = [];
  const counted: Deliveries = { ...deliveries, write: (ops) => (writes.push(ops.length), deliveries.write(ops)) };
  const recorder = createRecorder({ deliveries: counted, clock, logger: silent });
  for (const n of [1, 2, 3, 4]) await deliveries.insert(row(n));
  for (const n of [1, 2, 3]) await recorder.record(succeeded(row(n)));
  await clock.advance(19);
  expect([await stored(1), await stored(2)]).toEqual(['succeeded', 'pending']);
  await clock.advance(1);
  expect([await stored(2), await stored(3)]).toEqual(['succeeded', 'succeeded']);
  expect(writes).toEqual([1, 2]);
  await clock.advance(20);
  await recorder.record(succeeded(row(4)));
  await settleTurns();
  expect(await stored(4)).toBe('succeeded');
});

test('leaves a delivery as it is that another process has cancelled or claimed meanwhile', async () => {
  const recorder = createRecorder({ deliveries, clock, logger: silent });
  await deliveries.insert(row(1));
  await deliveries.claim({ _id: 'whd_1' }, { set: { status: 'cancelled', due_at: null } });
  await recorder.record(succeeded(row(1)));
  await recorder.stop();
  expect(await stored(1)).toBe('cancelled');
});

test('logs rows that cannot be written, and records later ones', async () => {
  let fails = true;
  const failing: Deliveries = { ...deliveries, write: (ops) => (fails ? Promise.reject(new Error('full')) : deliveries.write(ops)) };
  const errors: object[] = [];
  const recorder = createRecorder({
    deliveries: failing,
    clock,
    logger: { ...silent, error: (fields: object) => errors.push(fields) } as never,
  });
  for (const n of [1, 2]) await deliveries.insert(row(n));
  await recorder.record(succeeded(row(1)));
  await settleTurns();
  fails = false;
  await recorder.record(succeeded(row(2)));
  await recorder.stop();
  expect(errors).toMatchObject([{ deliveries: 1 }]);
  expect([await stored(1), await stored(2)]).toEqual(['pending', 'succeeded']);
});

test('keeps attempts waiting while 4 MiB are unwritten', async () => {
  const written = Promise.withResolvers<Set<string>>();
  const slow: Deliveries = { ...deliveries, write: () => written.promise };
  const recorder = createRecorder({ deliveries: slow, clock, logger: silent });
  let recorded = 0;
  for (let n = 0; n < 5_000; n += 1) void Promise.resolve(recorder.record(succeeded(row(n)))).then(() => (recorded += 1));
  await clock.advance(1_000);
  expect(recorded).toBe(4_096);
  written.resolve(new Set());
  await clock.advance(1_000);
  expect(recorded).toBe(5_000);
});
