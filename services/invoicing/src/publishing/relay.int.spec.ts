import fc from 'fast-check';
import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { createRelay } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { startSubscription, type Checkpoint } from '@svc/event-store';
import { OutcomeUnknown, type Recorded } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, deleteCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openSystem, type System } from '../testing/open-system.ts';

/** Maps one event to public events on two topics. */
const twoTopics: Publisher<number> = {
  category: 'thing',
  topics: [topics.registration, topics.invoice],
  initialState: 0,
  evolve: (state) => state + 1,
  publish: (_recorded, state) => [
    { topic: topics.registration, type: 'invoicing.registration-requested.v1', data: { state } },
    { topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { state } },
  ],
};

const folder = dataFolder();
let system: System;
beforeAll(() => {
  system = openSystem(folder.path);
});
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const writing = () => ({ context: system.context, customers: system.customers, identity: callerOf(system) });
async function history(): Promise<void> {
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => createCustomer(writing(), { name: `Name ${n}` })));
  for (const [n, { id }] of made.entries()) {
    await Promise.all(
      [1, 2, 3].map((k) => updateCustomer(writing(), { id, ifMatch: undefined, body: { metadata: { [`k${k}`]: String(n) } } })),
    );
    if (n % 3 === 0) await deleteCustomer(writing(), { id, ifMatch: undefined });
  }
}

/** A bus that records what is published. `fails` decides for each call whether sending fails or the acknowledgement is lost. */
function busOf(fails: () => 'before' | 'after' | undefined = () => undefined) {
  const published: { topic: Topic; event: PublicEvent }[] = [];
  const publish = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
    const fault = fails();
    if (fault === 'before') throw new Error('not sent');
    published.push(...events.map((event) => ({ topic, event })));
    if (fault === 'after') throw new Error('not acknowledged');
  };
  return { published, publish };
}

const relayTo = (publish: (topic: Topic, events: PublicEvent[]) => Promise<void>, publishers: Publisher[] = [customerPublisher]) =>
  createRelay({ source: 'invoicing', store: system.store, publishers, deadLetters: deadLettersIn(system.documents), publish });

/** Runs a relay as a subscription until it has published everything. */
async function runToEnd(name: string, publish: (topic: Topic, events: PublicEvent[]) => Promise<void>): Promise<void> {
  const { store, clock, subscribing, logger } = system;
  const subscription = startSubscription({ name, store, checkpoints: subscribing.checkpoints, clock, handle: relayTo(publish), logger });
  await subscription.waitFor(await store.head(), 20_000);
  await subscription.stop();
}

describe('the relay', () => {
  let expected: PublicEvent[];
  beforeAll(async () => {
    await history();
    const bus = busOf();
    await runToEnd('reference', bus.publish);
    expected = bus.published.map(({ event }) => event);
  });

  test('marks the events up to the end of the backup as republished, and no later ones', async () => {
    const { store } = system;
    const [subject] = expected.map((event) => event.subject);
    const { env, account } = expected[0] as PublicEvent;
    const [first, second] = await store.read(`customer-${env}.${account}.${subject}`);
    const bus = busOf();
    const deadLetters = deadLettersIn(system.documents);
    const until = first?.position;
    const relay = createRelay({
      ...{ source: 'invoicing', store, publishers: [customerPublisher], deadLetters, publish: bus.publish },
      restoredUntil: until,
    });
    await relay([first, second] as Recorded[]);
    expect(bus.published.map(({ event }) => event.republished)).toEqual([true, undefined]);
    for (const { event } of bus.published) expect(parseEvent(JSON.stringify(event))).toEqual(event);
  });

  test('publishes few large resources at a time, however small their events are', async () => {
    const text = 'x'.repeat(600_000);
    const large: Publisher<number> = {
      ...twoTopics,
      publish: (recorded, state) => [
        { topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { state, text, id: recorded.id } },
      ],
    };
    const sizes: number[] = [];
    const published: PublicEvent[] = [];
    const relay = relayTo(
      async (_, events) => {
        sizes.push(JSON.stringify(events).length);
        published.push(...events);
      },
      [large],
    );
    const at = (revision: number, bytes: number) => ({
      id: system.ids.next(),
      type: 'Happened',
      data: {},
      metadata: { v: 1, account: 'acct_1', env: 'test' as const },
      stream: 'thing-test.acct_1.thing_1',
      revision: BigInt(revision),
      recordedAt: 0,
      bytes,
      position: BigInt(revision + 1),
    });
    await relay([at(0, text.length), ...Array.from({ length: 100 }, (_, n) => at(n + 1, 20))]);
    expect(published.map(({ data }) => (data as { state?: number }).state)).toEqual(Array.from({ length: 101 }, (_, n) => n + 1));
    expect(Math.max(...sizes)).toBeLessThan(5 * 1_048_576);
  });

  test('publishes every change with the resource of that version, in order for each subject', () => {
    const bySubject = Map.groupBy(expected, ({ subject }) => subject);
    expect(bySubject.size).toBe(12);
    for (const events of bySubject.values()) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
      expect(events.map(({ data }) => (data as { version: number }).version)).toEqual(events.map((_, n) => n + 1));
      expect(events[0]?.type).toBe('invoicing.customer-created.v1');
      expect(events[3]?.data).toMatchObject({
        name: (events[0]?.data as { name: string }).name,
        metadata: { k1: expect.any(String), k3: expect.any(String) },
      });
    }
    expect(new Set(expected.map(({ id }) => id)).size).toBe(expected.length);
    for (const event of expected) expect(parseEvent(JSON.stringify(event))).toEqual(event);
    expect(expected[0]).toMatchObject({ specversion: '1.0', source: 'invoicing', env: 'test', time: expect.stringMatching(/Z$/) });
  });

  test('a deletion is published with deleted_at set', () => {
    const deleted = expected.filter(({ type }) => type === 'invoicing.customer-deleted.v1');
    expect(deleted).toHaveLength(4);
    for (const { data } of deleted)
      expect(data).toMatchObject({ deleted_at: expect.stringMatching(/Z$/), name: expect.stringContaining('Name') });
  });

  test('wherever it is stopped, it loses nothing, repeats identical bytes and keeps the order of each subject', async () => {
    let run = 0;
    const bytes = new Map(expected.map((event) => [event.id, JSON.stringify(event)]));
    const faults = fc.array(fc.constantFrom<'before' | 'after' | undefined>(undefined, 'before', 'after'), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(faults, fc.array(fc.nat({ max: expected.length }), { maxLength: 3 }), async (script, crashes) => {
        const bus = busOf(() => script.shift());
        const name = `run-${(run += 1)}`;
        for (const at of crashes) {
          await runToEnd(name, bus.publish);
          const saved = (await system.subscribing.checkpoints.get(name)) as Checkpoint;
          // A crash before the checkpoint was saved: the next start begins earlier.
          await system.subscribing.checkpoints.write([{ delete: name }, { put: { ...saved, version: 1, position: String(at) } }]);
        }
        await runToEnd(name, bus.publish);
        const published = bus.published.map(({ event }) => event);
        for (const event of published) expect(JSON.stringify(event)).toBe(bytes.get(event.id));
        expect(new Set(published.map(({ id }) => id)).size).toBe(expected.length);
        for (const events of Map.groupBy(published, ({ subject }) => subject).values()) {
          events.forEach(({ sequence }, n) => expect(sequence).toBeLessThanOrEqual((events[n - 1]?.sequence ?? 0) + 1));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('of two public events of one event the one for subscribers has its id; the other has a derived, stable id', async () => {
    const { account, env } = callerOf(system);
    const id = system.ids.next();
    await system.store.append(`thing-${env}.${account}.thing_1`, 'none', [
      { id, type: 'Seen', data: {}, metadata: { v: 1, account, env } },
    ]);
    const events = await system.store.read(`thing-${env}.${account}.thing_1`);
    const [first, second] = [busOf(), busOf()];
    await relayTo(first.publish, [twoTopics])(events);
    await relayTo(second.publish, [twoTopics])(events);
    expect(first.published).toEqual(second.published);
    const idOn = (topic: Topic) => first.published.find((published) => published.topic === topic)?.event.id;
    expect(idOn(topics.invoice)).toBe(`evt_${id}`);
    expect(idOn(topics.registration)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(idOn(topics.registration)).not.toBe(idOn(topics.invoice));
  });

  test('publishes each event with the state at its own revision, whatever it published before', async () => {
    const { account, env } = callerOf(system);
    const stream = `thing-${env}.${account}.thing_2`;
    const append = (expected: bigint | 'none') =>
      system.store.append(stream, expected, [{ id: system.ids.next(), type: 'Seen', data: {}, metadata: { v: 1, account, env } }]);
    await append('none');
    for (const revision of [0n, 1n, 2n, 3n]) await append(revision);
    const [first, second, third, fourth, fifth] = (await system.store.read(stream)) as [Recorded, Recorded, Recorded, Recorded, Recorded];
    const bus = busOf();
    const relay = relayTo(bus.publish, [twoTopics]);
    // Repeated after a lost acknowledgement; after a gap that another replica published; and from an older checkpoint.
    for (const events of [[first, second], [first, second, third], [fifth], [second], [fourth]]) await relay(events);
    const published = bus.published
      .filter(({ topic }) => topic === topics.invoice)
      .map(({ event }) => (event.data as { state: number }).state);
    expect(published).toEqual([1, 2, 1, 2, 3, 5, 2, 4]);
  });

  test('retries an event whose history a lagging read returns in part: stores no dead letter and publishes no wrong state', async () => {
    const { account, env } = callerOf(system);
    const stream = `thing-${env}.${account}.thing_3`;
    const seen = () => ({ id: system.ids.next(), type: 'Seen', data: {}, metadata: { v: 1, account, env } });
    await system.store.append(stream, 'none', [seen(), seen(), seen(), seen()]);
    const last = (await system.store.read(stream)).slice(3);
    const bus = busOf();
    const deadLetters = deadLettersIn(system.documents);
    const relayReading = (upto: bigint) =>
      createRelay({
        source: 'invoicing',
        ...{ deadLetters, publishers: [twoTopics as Publisher], publish: bus.publish },
        store: { read: async (...asked) => (await system.store.read(...asked)).filter(({ revision }) => revision < upto) },
      });
    await expect(relayReading(2n)(last)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(bus.published).toEqual([]);
    await relayReading(4n)(last);
    expect(bus.published.map(({ event }) => event.sequence)).toEqual([4, 4]);
  });
});
