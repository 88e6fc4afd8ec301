import type { RecoverWebhook } from '@svc/contracts/webhook/requests';
import { iso, settleTurns, soon } from '@svc/kernel';
import { type Delivery, deliveryId, newDelivery } from '../delivery/delivery.ts';
import { answer } from '../delivery/testing/process.ts';
import { updateEndpoint } from '../endpoint/change.ts';
import { type Endpoint, NONE_ENDED } from '../endpoint/endpoint.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import type { StoredEvent } from '../event/event.ts';
import type { Answered } from '../sending/send.ts';
import { recover } from './recover.ts';
import { openRecovering, type Recovering } from './testing/recovering.ts';

const DAY = 86_400_000;

let on: Recovering;
beforeEach(async () => {
  on = await openRecovering();
});
afterEach(() => on.end());

const refused = (code: string) => expect.objectContaining({ code });

test('sends what was missed, each once, and says how far it is', async () => {
  const events = await on.missed(150);
  expect(await on.start()).toEqual({ object: 'recovery', matched: 150, created: 150, status: 'running' });
  await on.until(on.isDone);
  expect(on.sent.map(({ id }) => id).toSorted()).toEqual(events.map(({ _id }) => _id).toSorted());
  expect(await on.shown()).toMatchObject({ matched: 150, created: 150, delivered: 150, failed: 0, status: 'done', event_types: null });
  expect(await on.start()).toMatchObject({ matched: 0, created: 0 });
  await on.until(on.isDone);
  expect(on.sent).toHaveLength(150);
});

test('what was sent already is passed by in a few steps, and what is missing among it is sent', async () => {
  const events = await on.missed(4_000);
  const endpoint = (await on.context.endpoints.get('we_1')) as Endpoint;
  const succeeded = events.filter((_, n) => n !== 1_999 && n !== 3_999).map((event) => newDelivery(event, endpoint, 0));
  await on.context.deliveries.write(succeeded.map((row) => ({ insert: { ...row, status: 'succeeded', due_at: null, next_at: null } })));
  const stored = async (): Promise<number> => (await on.context.recoveries.get('we_1'))?.version ?? 0;
  expect(await on.start()).toMatchObject({ matched: 2, created: 2 });
  await on.until(on.isDone);
  expect(on.sent.map(({ id }) => id)).toEqual([events[1_999]?._id, events[3_999]?._id]);
  const first = await stored();
  await on.start();
  await on.until(on.isDone);
  expect(on.sent).toHaveLength(2);
  expect((await stored()) - first).toBeLessThan(20);
});

test('counts only what it would send', async () => {
  await on.missed(3);
  await on.missed(2, { type: 'invoice.created' });
  expect(await on.start({ dry_run: true })).toEqual({ object: 'recovery', matched: 5, created: 0, status: 'done' });
  expect(await on.start({ dry_run: true, event_types: ['invoice.created'] })).toMatchObject({ matched: 2 });
  await on.context.endpoints.claim({ _id: 'we_1' }, { set: { events: ['customer.created'] } });
  expect(await on.start({ dry_run: true })).toMatchObject({ matched: 3 });
  expect([await on.shown(), on.sent.length]).toEqual([null, 0]);
});

test('the time is bounded on both ends, both included', async () => {
  const [first] = await on.missed(1);
  const at = (first as StoredEvent).at;
  await on.clock.advance(1_000);
  const matched = async (since: number, to: number) => (await on.start({ dry_run: true, since: iso(since), until: iso(to) })).matched;
  expect([await matched(at, at), await matched(at + 1, at + 9), await matched(at - 9, at - 1)]).toEqual([1, 0, 0]);
  for (const body of [
    { since: iso(on.clock.now() + 1_000) },
    { since: iso(on.clock.now() - 31 * DAY) },
    { since: iso(at), until: iso(at - 1) },
  ])
    await expect(on.start(body)).rejects.toEqual(refused('validation_error'));
});

test('more events of one millisecond than a page holds are counted and sent once', async () => {
  await on.missed(1_300, { resources: 1_300 });
  expect(await on.start()).toMatchObject({ matched: 1_300, created: 1_300 });
  await on.until(on.isDone);
  expect(new Set(on.sent.map(({ id }) => id)).size).toBe(1_300);
  expect(on.sent).toHaveLength(1_300);
});

test('an endpoint that answers at once is given the next ones at once', async () => {
  await on.missed(3_000);
  const began = on.clock.now();
  await on.start();
  await on.until(on.isDone);
  expect(on.clock.now() - began).toBeLessThan(2_000);
  expect([new Set(on.sent.map(({ id }) => id)).size, on.sent.length]).toEqual([3_000, 3_000]);
});

test('events of one resource are sent one at a time, the oldest first', async () => {
  const answered = async (): Promise<Answered> => (await on.clock.sleep(30), answer(200));
  on.send = answered;
  await on.missed(24, { resources: 3, apart: 5 });
  await on.start();
  await on.until(on.isDone);
  expect(on.mostOfOne).toBe(1);
  for (const resource of ['cust_0', 'cust_1', 'cust_2']) {
    const own = on.sent.filter((one) => one.resource === resource).map(({ sequence }) => sequence);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
});

test('what succeeded is not sent again, what is pending is not made again, and what failed or was cancelled is', async () => {
  const [done, failed, cancelled, pending] = (await on.missed(4)) as [StoredEvent, StoredEvent, StoredEvent, StoredEvent];
  const endpoint = (await on.context.endpoints.get('we_1')) as never;
  const of = (event: StoredEvent, status: Delivery['status'], due_at: number | null): Delivery => {
    const attempt = { n: 1, at: iso(0), duration_ms: 1, trigger: 'schedule' as const, status_code: 500, error: 'x', response_body: '' };
    return { ...newDelivery(event, endpoint, 0), status, due_at, next_at: due_at, attempts: [attempt] };
  };
  const later = on.clock.now() + DAY;
  const made = [of(done, 'succeeded', null), of(failed, 'failed', null), of(cancelled, 'cancelled', null), of(pending, 'pending', later)];
  await on.context.deliveries.write(made.map((insert) => ({ insert })));
  expect(await on.start()).toMatchObject({ matched: 3, created: 2 });
  await on.until(on.isDone);
  expect(on.sent.map(({ id }) => id).toSorted()).toEqual([failed._id, cancelled._id].toSorted());
  expect(await on.context.deliveries.get(deliveryId(failed._id, 'we_1'))).toMatchObject({
    status: 'succeeded',
    attempts: [{ n: 1 }, { n: 2 }],
  });
  expect(await on.context.deliveries.get(deliveryId(pending._id, 'we_1'))).toMatchObject({ status: 'pending', due_at: later });
});

test('the schedule of a delivery that had failed begins anew', async () => {
  await on.close();
  on.delays = [100, 200, 300, 400, 500];
  on.open();
  await on.missed(1);
  on.send = () => answer(500);
  await on.start();
  await on.until(on.isDone);
  expect((await on.rows())[0]).toMatchObject({ status: 'failed', attempts: { length: 6 } });
  await on.start();
  await on.until(on.isDone);
  expect((await on.rows())[0]).toMatchObject({ status: 'failed', attempts: { length: 12 } });
  expect(await on.shown()).toMatchObject({ matched: 1, created: 1, delivered: 0, failed: 1, status: 'done' });
});

test('an endpoint that fails gets a few at growing pauses, and all of it when it is well again', async () => {
  await on.missed(60);
  on.send = () => answer(503);
  await on.start();
  await on.clock.advance(30_000);
  expect(on.sent.length).toBeLessThan(16);
  on.send = () => answer(200);
  await on.until(on.isDone);
  expect(await on.shown()).toMatchObject({ delivered: 60, failed: 0 });
}, 120_000);

test('one at a time: a second is refused, a repeat of the command is not', async () => {
  await on.missed(5);
  on.send = () => new Promise(() => undefined);
  const who = on.identity();
  const first = await on.start({}, who);
  await expect(on.start()).rejects.toEqual(refused('invalid_state'));
  expect(await on.start({}, who)).toEqual(first);
  expect(await on.start({ dry_run: true })).toMatchObject({ matched: 5, created: 0 });
});

test('is refused on a disabled and on an unknown endpoint, and where none runs that could be ended', async () => {
  await expect(on.start({ stop: true })).rejects.toEqual(refused('invalid_state'));
  await updateEndpoint(on.context, on.identity(), { id: 'we_1' }, { body: { status: 'disabled' }, ended: NONE_ENDED });
  await expect(on.start()).rejects.toEqual(refused('invalid_state'));
  await expect(recover(on.context, on.identity(), 'we_2', { body: {} as RecoverWebhook, turn: soon })).rejects.toEqual(
    refused('not_found'),
  );
});

/** Milliseconds until an event of now is sent. */
async function freshAfter(): Promise<number> {
  const [fresh] = (await on.missed(1)) as [StoredEvent];
  const one = (await on.context.endpoints.get('we_1')) as never;
  await on.context.deliveries.insert({ ...newDelivery(fresh, one, on.clock.now()) });
  on.worker.wake();
  const before = on.clock.now();
  await on.until(() => on.sent.some(({ id }) => id === fresh._id));
  return on.clock.now() - before;
}

test('fresh events pass it', async () => {
  await on.missed(400);
  on.send = async () => (await on.clock.sleep(100), answer(200));
  await on.start();
  await on.clock.advance(2_000);
  expect(await freshAfter()).toBeLessThanOrEqual(500);
  expect((await on.shown())?.status).toBe('running');
});

test('of an endpoint with a pace what waits is what it takes in a second: a fresh event comes soon', async () => {
  await on.context.endpoints.claim({ _id: 'we_1' }, { set: { rate_per_second: 2 } });
  await on.missed(100);
  await on.start();
  await on.clock.advance(20_000);
  const before = on.sent.length;
  expect(before).toBeGreaterThan(30);
  expect(await freshAfter()).toBeLessThanOrEqual(2_000);
  await on.until(on.isDone);
  expect(on.sent).toHaveLength(101);
});

test('a count that takes longer than two seconds goes on by itself', async () => {
  await on.missed(1_200, { apart: 1 });
  const slow = {
    ...on.context.events,
    indexed: (async (...given: Parameters<typeof on.context.events.indexed>) => (
      await on.clock.sleep(1_500),
      on.context.events.indexed(...given)
    )) as never,
  };
  const counted = recover({ ...on.context, events: slow }, on.identity(), 'we_1', {
    body: { since: iso(on.clock.now() - DAY) },
    turn: soon,
  });
  await on.clock.advance(10_000);
  const first = await counted;
  expect(first).toMatchObject({ counting: true, status: 'running' });
  expect(first.matched).toBeLessThan(1_200);
  on.worker.recover();
  await on.until(async () => (await on.context.recoveries.get('we_1'))?.phase !== 'counting');
  expect((await on.context.recoveries.get('we_1')) as Recovery).toMatchObject({ matched: 1_200, created: 1_200 });
  await settleTurns(10);
});

test('one failure counts once, also behind a resource whose events come one at a time', async () => {
  const [first] = (await on.missed(30, { resources: 1, apart: 1 })) as [StoredEvent];
  const [bad] = (await on.missed(1, { resources: 1, apart: 1 }).then(async (made) => {
    await on.context.events.claim({ _id: made[0]?._id ?? '' }, { set: { resource_id: 'cust_bad' } });
    return made;
  })) as [StoredEvent];
  on.send = async ({ id }) => (await on.clock.sleep(20), answer(id === bad._id ? 500 : 200));
  await on.start();
  await on.until(async () => on.sent.filter(({ resource }) => resource === first.resource_id).length >= 31 && on.sent.length >= 31, 60_000);
  expect((await on.context.recoveries.get('we_1'))?.pauseMs).toBeLessThanOrEqual(1_000);
});
