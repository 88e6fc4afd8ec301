import { soon } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { type Delivery, newDelivery } from '../delivery/delivery.ts';
import { answer } from '../delivery/testing/process.ts';
import { EndpointsController } from '../endpoint/http.ts';
import type { Recovery } from '../endpoint/recovery.ts';
import type { StoredEvent } from '../event/event.ts';
import { RecoveriesController } from './http.ts';
import { recover } from './recover.ts';
import { eventIn, type Killed, killedAtEachWrite, least, type Process, stores } from './testing/killed.ts';

/** When the next attempt is: behind what processes do here. */
const LATER_MS = 300_000;

const ask =
  (body: object) =>
  ({ context, worker }: Process, identity: Identity) =>
    new RecoveriesController(context, worker).recover({ identity, params: { id: 'we_1' }, body, turn: soon } as never);
const since = { since: '2026-01-15T00:00:00Z' };

const stored = async (on: Killed): Promise<Recovery> => (await on.context.recoveries.get('we_1')) as Recovery;
const count = async (on: Killed, status: Delivery['status']): Promise<number> =>
  on.context.deliveries.count({ recovery: (await stored(on)).command, status });
const seen = (on: Killed): string[] => [...new Set(on.sent.map(eventIn))].toSorted();
const idsOf = (events: readonly StoredEvent[]): string[] => events.map(({ _id }) => _id).toSorted();

/** The recovery has ended, and says of its deliveries what they say. */
async function expectEnded(on: Killed, status: Recovery['status']): Promise<Recovery> {
  const recovery = await stored(on);
  expect([recovery.status, recovery.due_at, await count(on, 'pending')]).toEqual([status, null, 0]);
  const [succeeded, failed, cancelled] = [await count(on, 'succeeded'), await count(on, 'failed'), await count(on, 'cancelled')];
  expect([recovery.delivered, recovery.failed, recovery.created]).toEqual([succeeded, failed, succeeded + failed + cancelled]);
  return recovery;
}

/** A further recovery brings what is missing. */
async function expectNothingLost(on: Killed, process: Process, events: readonly StoredEvent[]): Promise<void> {
  on.answers = () => answer(200);
  await ask(since)(process, on.identity());
  await on.pass(120_000);
  await expectEnded(on, 'done');
  expect(seen(on)).toEqual(idsOf(events));
  expect(new Set((await on.rows()).map(({ status }) => status))).toEqual(new Set(['succeeded']));
}

describe.each(stores)('at whichever write a process on %s is killed', (store) => {
  let events: StoredEvent[];

  test('that recovers, each event that was missing comes, and matched is delivered, failed and what was pending', async () => {
    const kills = await killedAtEachWrite(store, {
      delays: [1_000],
      async prepare(on) {
        events = await on.happen(9, 3);
        const endpoint = await on.endpoint();
        const [waits, done, failed, cancelled] = events as [StoredEvent, StoredEvent, StoredEvent, StoredEvent];
        const of = (event: StoredEvent, status: Delivery['status'], due_at: number | null): Delivery => ({
          ...newDelivery(event, endpoint, 0),
          ...{ status, due_at, next_at: due_at },
        });
        const rows = [of(waits, 'pending', on.clock.now() + LATER_MS), of(done, 'succeeded', null), of(failed, 'failed', null)];
        await on.context.deliveries.write([...rows, of(cancelled, 'cancelled', null)].map((insert) => ({ insert })));
        on.answers = (id) => answer(id === events[8]?._id ? 500 : 200);
      },
      ...{ command: ask(since), works: 20_000 },
      async holds(on, answered) {
        expect(answered).toMatchObject({ matched: 8, created: 7 });
        const { matched, created, delivered, failed } = await expectEnded(on, 'done');
        expect({ matched, created, delivered, failed }).toEqual({ matched: 8, created: 7, delivered: 6, failed: 1 });
        expect(seen(on)).toEqual(idsOf(events.slice(2)));
        await on.pass(LATER_MS);
        expect(seen(on)).toEqual(idsOf(events.filter((_, n) => n !== 1)));
      },
    });
    expect(kills).toBeGreaterThan(least(store, 10));
  }, 180_000);

  test('that ends a recovery on request, it has ended, says what came of it, and another one brings the rest', async () => {
    const kills = await killedAtEachWrite(store, {
      delays: [LATER_MS],
      async prepare(on) {
        events = await on.happen(9, 3);
        on.answers = (id) => answer(id === events[0]?._id ? 200 : 500);
        await recover(on.context, on.identity(), 'we_1', { body: since, turn: soon });
      },
      async command(process, identity) {
        await process.context.clock.sleep(300);
        return ask({ stop: true })(process, identity);
      },
      works: 20_000,
      async holds(on, _, next) {
        expect((await expectEnded(on, 'stopped')).matched).toBe(9);
        const sent = on.sent.length;
        await on.pass(LATER_MS + 60_000);
        expect(on.sent).toHaveLength(sent);
        await expectNothingLost(on, next, events);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 5));
  }, 180_000);

  test('that disables the endpoint of a recovery, the recovery is stopped, and another one brings the rest', async () => {
    const kills = await killedAtEachWrite(store, {
      delays: [LATER_MS],
      async prepare(on) {
        events = await on.happen(9, 3);
        on.answers = (id) => answer(id === events[0]?._id ? 200 : 500);
        await recover(on.context, on.identity(), 'we_1', { body: since, turn: soon });
      },
      async command({ context, worker }, identity) {
        await context.clock.sleep(300);
        const request = { identity, params: { id: 'we_1' }, body: { status: 'disabled' } };
        return new EndpointsController(context, worker).update(request as never);
      },
      works: 20_000,
      async holds(on, _, next) {
        await expectEnded(on, 'stopped');
        const sent = on.sent.length;
        await on.pass(LATER_MS + 60_000);
        expect([on.sent.length, (await on.rows()).filter(({ status }) => status === 'pending')]).toEqual([sent, []]);
        await new EndpointsController(next.context, next.worker).enable({ identity: on.identity(), params: { id: 'we_1' } } as never);
        await expectNothingLost(on, next, events);
      },
    });
    expect(kills).toBeGreaterThan(least(store, 5));
  }, 180_000);
});
