import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics, type PublicEvent } from '@svc/contracts/events/envelope';
import { Engine } from '@svc/embedded';
import { FakeClock, settleTurns, soon } from '@svc/kernel';
import { wholeOf } from '@svc/service/lists/testing/whole';
import type { WebhooksContext } from '../delivery/context.ts';
import { FanOut } from '../delivery/fan-out.ts';
import { busAt, customerCreated, idleWorker, rowsOn, silent } from '../delivery/testing/rows.ts';
import type { Events } from './event.ts';
import { createEventWaiters } from './event-waiters.ts';
import { EventsController } from './http.ts';

const eventOf = (n: number, more: Partial<PublicEvent> = {}): PublicEvent => ({
  ...customerCreated,
  id: `evt_01jqz5rk4e7${String(n).padStart(15, '0')}`,
  ...more,
});

let folder: string;
let engine: Engine;
let clock: FakeClock;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-webhooks-'));
  engine = Engine.open(folder, { durable: false });
  clock = new FakeClock();
});
afterEach(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

/** A process of the service; `looks` counts its looks at the ends of logs. */
function start() {
  const rows = rowsOn(engine);
  const stopping = new AbortController();
  const looks = { count: 0 };
  const highest: Events['highest'] = (...asked) => ((looks.count += 1), rows.events.highest(...asked));
  const events = { ...rows.events, highest };
  const waiters = createEventWaiters({ events, clock, logger: silent, stopping: stopping.signal });
  const context = { ...rows, events: rows.events, waiters, clock, bus: busAt(0), publicUrl: 'https://x' } as unknown as WebhooksContext;
  const fanOut = new FanOut(context, idleWorker(context));
  const controller = new EventsController(context);
  return {
    looks,
    stop: () => stopping.abort(),
    handle: (...batch: PublicEvent[]) => fanOut.on(batch, { topic: topics.customer, positions: batch.map(() => undefined) }),
    /** A request that follows: `ids` once it is answered, with the time in milliseconds that it took. */
    follow(query: object = {}, identity: object = {}) {
      const raw = Object.assign(new EventEmitter(), { destroyed: false });
      const request = {
        identity: { account: 'acct_1', env: 'test', ...identity },
        query: { page: 1, per_page: 20, after: eventOf(0).id, wait: 20, ...query },
        ...{ params: {}, url: '/v1/events', turn: soon, releasePermit: () => undefined, reply: { raw } },
      };
      const began = clock.now();
      const answer: { ids?: string[]; ms?: number } = {};
      const done = controller.list(request as never).then(async (made) => {
        const { data } = await wholeOf<{ id: string }>(made as never);
        Object.assign(answer, { ids: data.map(({ id }) => id), ms: clock.now() - began });
      });
      return { answer, done, leave: () => ((raw.destroyed = true), raw.emit('close')) };
    },
  };
}
const ids = (...numbers: number[]): string[] => numbers.map((n) => eventOf(n).id);

test('a request that waits is answered with the next event, as soon as it is stored', async () => {
  const { handle, follow } = start();
  await handle(eventOf(0));
  const { answer, done } = follow();
  await clock.advance(3_000);
  expect(answer).toEqual({});
  await handle(eventOf(1));
  await done;
  expect(answer).toEqual({ ids: ids(1), ms: 3_000 });
});

test('what is there already is answered at once', async () => {
  const { handle, follow } = start();
  await handle(eventOf(0), eventOf(1));
  const { answer, done } = follow();
  await done;
  expect(answer).toEqual({ ids: ids(1), ms: 0 });
});

test('an event that another process has stored ends the wait within 250 ms, by one look for all who wait', async () => {
  const [waiting, other] = [start(), start()];
  await other.handle(eventOf(0));
  const all = Array.from({ length: 50 }, () => waiting.follow());
  await clock.advance(1_000);
  expect(waiting.looks.count).toBeLessThan(10);
  await other.handle(eventOf(1));
  await clock.advance(250);
  for (const { answer } of all) expect(answer).toEqual({ ids: ids(1), ms: expect.any(Number) });
});

test('an event that the filters omit does not end the wait; it ends empty when its time is over', async () => {
  const { handle, follow } = start();
  await handle(eventOf(0));
  const filtered = [{ resource_id: ['cust_2'] }, { type: ['customer.deleted' as const] }, { created_from: '2099-01-01' }].map((query) =>
    follow({ ...query, wait: 3 }),
  );
  await clock.advance(300);
  await handle(eventOf(1));
  await clock.advance(2_699);
  for (const { answer } of filtered) expect(answer).toEqual({});
  await clock.advance(1);
  for (const { answer } of filtered) expect(answer).toEqual({ ids: [], ms: 3_000 });
});

test('a filter finds its event behind others', async () => {
  const { handle, follow } = start();
  await handle(eventOf(0));
  const { answer } = follow({ resource_id: ['cust_2'] });
  await clock.advance(300);
  await handle(eventOf(1));
  await handle(eventOf(2, { subject: 'cust_2' }));
  await clock.advance(0);
  expect(answer).toEqual({ ids: ids(2), ms: 300 });
});

test.each(['stop', 'leave'] as const)('the wait ends at once: %s', async (end) => {
  const process = start();
  await process.handle(eventOf(0));
  const { answer, done, leave } = process.follow();
  await settleTurns();
  if (end === 'stop') process.stop();
  else leave();
  await done;
  expect(answer).toEqual({ ids: [], ms: 0 });
  expect(clock.nextAt() === undefined || end === 'stop').toBe(true);
});

test('100 requests of an account wait; the next one is answered at once, that of another account waits', async () => {
  const { handle, follow } = start();
  await handle(eventOf(0), eventOf(50, { account: 'acct_2' }));
  const all = Array.from({ length: 101 }, () => follow());
  const other = follow({ after: eventOf(50).id }, { account: 'acct_2' });
  await settleTurns(500);
  expect(all.filter(({ answer }) => answer.ms === 0)).toHaveLength(1);
  expect(other.answer).toEqual({});
  await clock.advance(20_000);
  expect(all.every(({ answer }) => answer.ids?.length === 0)).toBe(true);
  expect(clock.nextAt()).toBeUndefined(); // nothing looks any more
});

test('a wait without after is refused', async () => {
  await expect(start().follow({ after: undefined }).done).rejects.toMatchObject({
    code: 'invalid_request',
    details: { wait: [expect.any(String)] },
  });
});
