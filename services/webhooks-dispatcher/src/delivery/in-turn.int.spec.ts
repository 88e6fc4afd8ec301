import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '@svc/embedded';
import { FakeClock, iso } from '@svc/kernel';
import { storedEvent } from '../event/event.ts';
import { type Delivery, newDelivery } from './delivery.ts';
import { behindUntil, type Chain, createInTurn } from './in-turn.ts';
import { customerCreated, rowsOn, shopEndpoint, silent } from './testing/rows.ts';

let folder: string;
let engine: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-in-turn-'));
  engine = Engine.open(folder, { durable: false });
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** So many deliveries of one resource that wait in turn, and what was queued of them. */
async function waiting(count: number) {
  const clock = new FakeClock();
  const { deliveries } = rowsOn(engine);
  const queued: string[] = [];
  const queues = { capacity: () => 128, add: (rows: readonly Delivery[]) => void queued.push(...rows.map(({ _id }) => _id)) };
  const chain = Array.from({ length: count }, (_, n) => {
    const id = `evt_01jqz5rk4e700000000000000${n}`;
    const event = storedEvent({ event: { ...customerCreated, id, time: iso(clock.now()) }, type: 'customer.created' });
    return newDelivery({ ...event, log_position: n + 1 }, shopEndpoint(), behindUntil(clock.now()));
  });
  await deliveries.write(chain.map((insert) => ({ insert })));
  return { clock, deliveries, queued, queues, chain: chain as unknown as Chain };
}

test('a delivery whose claim failed is taken again', async () => {
  const { clock, deliveries, queued, queues, chain } = await waiting(3);
  let fails = false;
  const claim: typeof deliveries.claim = async (...given) => {
    if (fails) throw new Error('no connection');
    return deliveries.claim(...given);
  };
  const inTurn = createInTurn({ deliveries: { ...deliveries, claim }, clock, holder: 'a', logger: silent }, queues, () => undefined);
  await inTurn.take('we_1', [chain], 1);
  fails = true;
  inTurn.ended(chain[0], 'succeeded');
  await inTurn.take('we_1', [chain.slice(1) as unknown as Chain], 1);
  fails = false;
  await inTurn.take('we_1', [chain.slice(1) as unknown as Chain], 1);
  expect(queued).toEqual(chain.slice(0, 2).map(({ _id }) => _id));
});

test('nothing follows an attempt that failed, until a step takes it', async () => {
  const { clock, deliveries, queued, queues, chain } = await waiting(2);
  const done: string[] = [];
  const inTurn = createInTurn({ deliveries, clock, holder: 'a', logger: silent }, queues, (endpoint) => done.push(endpoint));
  await inTurn.take('we_1', [chain], 1);
  inTurn.ended(chain[0], 'failed');
  expect([done, inTurn.isDone('we_1')]).toEqual([[], false]);
  await inTurn.stop();
  expect(queued).toEqual([chain[0]._id]);
  await inTurn.take('we_1', [chain.slice(1) as unknown as Chain], 1);
  expect(queued).toEqual(chain.map(({ _id }) => _id));
});

test('it is done when the last of what was taken has succeeded, until more is taken', async () => {
  const { clock, deliveries, queues, chain } = await waiting(2);
  const done: string[] = [];
  const inTurn = createInTurn({ deliveries, clock, holder: 'a', logger: silent }, queues, (endpoint) => done.push(endpoint));
  await inTurn.take('we_1', [chain], 1);
  inTurn.ended(chain[0], 'succeeded');
  expect([done, inTurn.isDone('we_1')]).toEqual([[], false]);
  inTurn.ended(chain[1] as Delivery, 'succeeded');
  expect([done, inTurn.isDone('we_1')]).toEqual([['we_1'], true]);
  await inTurn.take('we_1', [], 1);
  expect(inTurn.isDone('we_1')).toBe(false);
});

test('no process takes what another one has', async () => {
  const { clock, deliveries, queued, queues, chain } = await waiting(2);
  const [one, other] = ['a', 'b'].map((holder) => createInTurn({ deliveries, clock, holder, logger: silent }, queues, () => undefined));
  await Promise.all([one?.take('we_1', [chain], 1), other?.take('we_1', [chain], 1)]);
  expect(queued).toEqual([chain[0]._id]);
});
