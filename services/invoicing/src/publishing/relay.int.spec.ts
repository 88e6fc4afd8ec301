import fc from 'fast-check';
import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/events/parse';
import type { DeadLetter } from '@svc/event-bus';
import { LetterBook } from '@svc/event-bus/dead-letters/letter-book';
import { lettersIn } from '@svc/event-bus/dead-letters/letters.suite';
import { redriveLetters } from '@svc/event-bus/dead-letters/redrive';
import { takeUpLine } from '@svc/event-bus/dead-letters/take-up';
import { startFollower, type Checkpoint } from '@svc/event-store';
import { FakeClock, UnknownEvent, type Recorded } from '@svc/kernel';
import { customerPublisher } from '../customer/publish.ts';
import { createCustomer, deleteCustomer, updateCustomer } from '../customer/write.ts';
import { callerOf, dataFolder, openWorld, type World } from '../open-world.suite.ts';
import type { Publisher } from './publisher.ts';
import { createRelay, keepsLeftOut } from './relay.ts';

/** The public events of one event on two topics. */
const twoFaced: Publisher<number> = {
  category: 'thing',
  initialState: 0,
  evolve: (state) => state + 1,
  publish: (_recorded, state) => [
    { topic: topics.registration, type: 'invoicing.registration-requested.v1', data: { state } },
    { topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { state } },
  ],
};

const folder = dataFolder();
let world: World;
beforeAll(() => {
  world = openWorld(folder.path);
});
afterAll(() => {
  world.engine.close();
  folder.remove();
});

const writing = () => ({ context: world.context, customers: world.customers, identity: callerOf(world) });
async function history(): Promise<void> {
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => createCustomer(writing(), { name: `Name ${n}` })));
  for (const [n, { id }] of made.entries()) {
    await Promise.all(
      [1, 2, 3].map((k) => updateCustomer(writing(), { id, ifMatch: undefined, body: { metadata: { [`k${k}`]: String(n) } } })),
    );
    if (n % 3 === 0) await deleteCustomer(writing(), { id, ifMatch: undefined });
  }
}

/** What a bus was told: `fails` decides for each call whether it was lost on the way, or its acknowledgement was. */
function busOf(fails: () => 'before' | 'after' | undefined = () => undefined) {
  const told: { topic: Topic; event: PublicEvent }[] = [];
  const publish = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
    const fault = fails();
    if (fault === 'before') throw new Error('not sent');
    told.push(...events.map((event) => ({ topic, event })));
    if (fault === 'after') throw new Error('not acknowledged');
  };
  return { told, publish };
}

const relayTo = (publish: (topic: Topic, events: PublicEvent[]) => Promise<void>, publishers: Publisher[] = [customerPublisher]) =>
  createRelay({ store: world.store, publishers, letters: lettersIn(world.documents), publish });

/** Runs a relay as a follower until it has told everything. */
async function runToEnd(name: string, publish: (topic: Topic, events: PublicEvent[]) => Promise<void>): Promise<void> {
  const { store, clock, following, logger } = world;
  const follower = startFollower({ name, store, checkpoints: following.checkpoints, clock, handle: relayTo(publish), logger });
  await follower.waitFor(await store.head(), 20_000);
  await follower.stop();
}

describe('the relay', () => {
  let expected: PublicEvent[];
  beforeAll(async () => {
    await history();
    const bus = busOf();
    await runToEnd('reference', bus.publish);
    expected = bus.told.map(({ event }) => event);
  });

  test('has few large resources in hand at once, however small the changes of them are', async () => {
    const text = 'x'.repeat(600_000);
    const large: Publisher<number> = {
      ...twoFaced,
      publish: (recorded, state) => [
        { topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { state, text, id: recorded.id } },
      ],
    };
    const sizes: number[] = [];
    const told: PublicEvent[] = [];
    const relay = relayTo(
      async (_, events) => {
        sizes.push(JSON.stringify(events).length);
        told.push(...events);
      },
      [large],
    );
    const at = (revision: number, bytes: number) => ({
      id: world.ids.next(),
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
    expect(told.map(({ data }) => (data as { state?: number }).state)).toEqual(Array.from({ length: 101 }, (_, n) => n + 1));
    expect(Math.max(...sizes)).toBeLessThan(5 * 1_048_576);
  });

  test('tells every change with the resource as it was then, in order for each subject', () => {
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

  test('a deletion is told with deleted_at set', () => {
    const deleted = expected.filter(({ type }) => type === 'invoicing.customer-deleted.v1');
    expect(deleted).toHaveLength(4);
    for (const { data } of deleted)
      expect(data).toMatchObject({ deleted_at: expect.stringMatching(/Z$/), name: expect.stringContaining('Name') });
  });

  test('whatever it is stopped at, it loses nothing, repeats the same bytes and keeps the order of each subject', async () => {
    let run = 0;
    const bytes = new Map(expected.map((event) => [event.id, JSON.stringify(event)]));
    const faults = fc.array(fc.constantFrom<'before' | 'after' | undefined>(undefined, 'before', 'after'), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(faults, fc.array(fc.nat({ max: expected.length }), { maxLength: 3 }), async (script, crashes) => {
        const bus = busOf(() => script.shift());
        const name = `run-${(run += 1)}`;
        for (const at of crashes) {
          await runToEnd(name, bus.publish);
          const saved = (await world.following.checkpoints.get(name)) as Checkpoint;
          // A crash before the checkpoint was saved: the next start begins earlier.
          await world.following.checkpoints.write([{ delete: name }, { put: { ...saved, version: 1, position: String(at) } }]);
        }
        await runToEnd(name, bus.publish);
        const told = bus.told.map(({ event }) => event);
        for (const event of told) expect(JSON.stringify(event)).toBe(bytes.get(event.id));
        expect(new Set(told.map(({ id }) => id)).size).toBe(expected.length);
        for (const events of Map.groupBy(told, ({ subject }) => subject).values()) {
          events.forEach(({ sequence }, n) => expect(sequence).toBeLessThanOrEqual((events[n - 1]?.sequence ?? 0) + 1));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('of two publications of one event the one that subscribers see has its id; the other has one of its own, always the same', async () => {
    const { account, env } = callerOf(world);
    const id = world.ids.next();
    await world.store.append(`thing-${env}.${account}.thing_1`, 'none', [{ id, type: 'Seen', data: {}, metadata: { v: 1, account, env } }]);
    const events = await world.store.read(`thing-${env}.${account}.thing_1`);
    const [first, second] = [busOf(), busOf()];
    await relayTo(first.publish, [twoFaced])(events);
    await relayTo(second.publish, [twoFaced])(events);
    expect(first.told).toEqual(second.told);
    const idOn = (topic: Topic) => first.told.find((told) => told.topic === topic)?.event.id;
    expect(idOn(topics.invoice)).toBe(`evt_${id}`);
    expect(idOn(topics.registration)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(idOn(topics.registration)).not.toBe(idOn(topics.invoice));
  });

  test('gives each event the state at exactly its own revision, whatever it published last', async () => {
    const { account, env } = callerOf(world);
    const stream = `thing-${env}.${account}.thing_2`;
    const append = (expected: bigint | 'none') =>
      world.store.append(stream, expected, [{ id: world.ids.next(), type: 'Seen', data: {}, metadata: { v: 1, account, env } }]);
    await append('none');
    for (const revision of [0n, 1n, 2n, 3n]) await append(revision);
    const [first, second, third, fourth, fifth] = (await world.store.read(stream)) as [Recorded, Recorded, Recorded, Recorded, Recorded];
    const bus = busOf();
    const relay = relayTo(bus.publish, [twoFaced]);
    // Again after a lost acknowledgement; from where another replica was; and back where that one had not saved.
    for (const events of [[first, second], [first, second, third], [fifth], [second], [fourth]]) await relay(events);
    const told = bus.told.filter(({ topic }) => topic === topics.invoice).map(({ event }) => (event.data as { state: number }).state);
    expect(told).toEqual([1, 2, 1, 2, 3, 5, 2, 4]);
  });
});

describe('a stream with an event of the next release', () => {
  const known = (types: string[]): Publisher<string[]> => ({
    category: 'order',
    initialState: [],
    evolve(state, recorded) {
      if (!types.includes(recorded.type)) throw new UnknownEvent(recorded);
      return [...state, recorded.type];
    },
    publish: (_recorded, state) => [{ topic: topics.invoice, type: 'invoicing.invoice-updated.v1', data: { state } }],
  });
  const old = known(['Placed']);
  const next = known(['Placed', 'Merged']);

  async function order(id: string) {
    const { account, env } = callerOf(world);
    const stream = `order-${env}.${account}.${id}`;
    let revision: bigint | 'none' = 'none';
    return {
      stream,
      async append(type: string): Promise<Recorded> {
        ({ revision } = await world.store.append(stream, revision, [
          { id: world.ids.next(), type, data: {}, metadata: { v: 1, account, env } },
        ]));
        return (await world.store.read(stream, revision, 1))[0] as Recorded;
      },
    };
  }

  test('is left out from there on, and all others are published; a release that knows the event publishes what was left out, in order, first', async () => {
    const letters = lettersIn(world.documents);
    const bus = busOf();
    const onTheBus = (publisher: Publisher<string[]>) => ({
      ...{ store: world.store, publishers: [publisher as Publisher], letters, publish: bus.publish },
    });
    const [a, b] = [await order('a'), await order('b')];
    const told = () => bus.told.map(({ event }) => `${event.subject} ${event.sequence}`);
    const relay = createRelay(onTheBus(old));
    keepsLeftOut(onTheBus(old));
    const events = [await a.append('Placed'), await a.append('Merged'), await b.append('Placed'), await a.append('Placed')];
    await relay(events);
    await relay(events); // again, after a lost acknowledgement
    await relay([await a.append('Placed'), await b.append('Placed')]);
    expect(told()).toEqual(['a 1', 'b 1', 'a 1', 'b 1', 'b 2']);
    const waiting = await Array.fromAsync(letters.of('invoicing.publishing').find({ reason: 'unknown_type' }));
    expect(waiting).toMatchObject([{ event: { stream: a.stream, from: '1', upto: '3' }, event_type: 'Merged', event_subject: 'a' }]);

    const takeUp = () => takeUpLine(letters, 'invoicing.publishing', String(waiting[0]?.line));
    expect(await takeUp()).toMatchObject({ done: 0, stopped: { since: 'unknown' } });
    keepsLeftOut(onTheBus(next));
    expect(await takeUp()).toMatchObject({ done: 1 });
    expect(told().slice(5)).toEqual(['a 2', 'a 3', 'a 4']);
    expect(await letters.of('invoicing.publishing').count({})).toBe(0);

    // The old release still has the relay: it leaves out what comes, which is taken up again.
    await relay([await a.append('Placed'), await b.append('Placed')]);
    expect(told().slice(8)).toEqual(['b 3']);
    expect(await takeUp()).toMatchObject({ done: 1 });
    await createRelay(onTheBus(next))([await a.append('Placed')]);
    expect(told().slice(9)).toEqual(['a 5', 'a 6']);
    expect((bus.told.at(-1)?.event.data as { state: string[] }).state).toHaveLength(6);
  });

  test('that grows while it is taken up loses nothing', async () => {
    const letters = lettersIn(world.documents);
    const c = await order('c');
    const bus = busOf();
    const oldRelay = createRelay({ store: world.store, publishers: [old as Publisher], letters, publish: bus.publish });
    await oldRelay([await c.append('Merged')]);
    const growing = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
      await bus.publish(topic, events);
      if (bus.told.length < 3) await oldRelay([await c.append('Placed')]);
    };
    keepsLeftOut({ store: world.store, publishers: [next as Publisher], letters, publish: growing });
    await takeUpLine(letters, 'invoicing.publishing', `store ${c.stream}`);
    expect([...new Set(bus.told.map(({ event }) => event.sequence))]).toEqual([1, 2, 3]);
    expect(await letters.of('invoicing.publishing').count({})).toBe(0);
  });

  test('an event that an error of ours cannot turn into a public one is a dead letter, and the rest of its stream goes on', async () => {
    const letters = lettersIn(world.documents);
    const d = await order('d');
    const bus = busOf();
    const failing: Publisher<string[]> = {
      ...next,
      publish(recorded, state) {
        if (recorded.type === 'Merged') throw new TypeError('undefined is no total');
        return next.publish(recorded, state);
      },
    };
    const relay = createRelay({ store: world.store, publishers: [failing as Publisher], letters, publish: bus.publish });
    await relay([await d.append('Placed'), await d.append('Merged'), await d.append('Placed')]);
    expect(bus.told.map(({ event }) => event.sequence)).toEqual([1, 3]);
    const kept = await Array.fromAsync(letters.of('invoicing.publishing').find({ event_subject: 'd' }));
    expect(kept).toMatchObject([{ reason: 'failed', error: 'undefined is no total', line: null, event: { from: '1', upto: '1' } }]);
  });

  describe('whose range holds an event that an error of ours cannot turn into a public one', () => {
    /** Knows everything, and can make nothing of what was recalled. */
    const faulty: Publisher<string[]> = {
      ...known(['Placed', 'Merged', 'Recalled']),
      publish(recorded, state) {
        if (recorded.type === 'Recalled') throw new TypeError('undefined is no total');
        return next.publish(recorded, state);
      },
    };
    const group = 'invoicing.publishing';
    const told = (bus: ReturnType<typeof busOf>) => bus.told.map(({ event }) => event.sequence);
    const onTheBus = (publisher: Publisher<string[]>, letters: LetterBook, publish: ReturnType<typeof busOf>['publish']) => ({
      ...{ store: world.store, publishers: [publisher as Publisher], letters, publish },
    });
    const keptOf = (letters: LetterBook, subject: string) => Array.fromAsync(letters.of(group).find({ event_subject: subject }));
    /** These events, from the first of them on left out by the old release. */
    async function leftOutBy(letters: LetterBook, id: string, types: string[]): Promise<string> {
      const one = await order(id);
      const events: Recorded[] = [];
      for (const type of types) events.push(await one.append(type));
      await createRelay(onTheBus(old, letters, busOf().publish))(events);
      return one.stream;
    }

    test.each([
      ['first', ['Recalled', 'Placed', 'Placed'], [2, 3], '0'],
      ['in the middle', ['Merged', 'Recalled', 'Placed'], [1, 3], '1'],
      ['last', ['Merged', 'Placed', 'Recalled'], [1, 2], '2'],
    ])('has that one alone as a dead letter, where it is %s', async (where, types, sequences, revision) => {
      const letters = lettersIn(world.documents);
      const bus = busOf();
      const id = `faulty_${where.replaceAll(' ', '_')}`;
      const stream = await leftOutBy(letters, id, types);
      keepsLeftOut(onTheBus(faulty, letters, bus.publish));
      expect(await takeUpLine(letters, group, `store ${stream}`)).toEqual({ done: 1, failed: 0 });
      expect(told(bus)).toEqual(sequences);
      const kept = await keptOf(letters, id);
      expect(kept).toMatchObject([{ reason: 'failed', line: null, event: { stream, from: revision, upto: revision }, held_until: 0 }]);

      expect(await redriveLetters(letters, group, { subject: id })).toMatchObject({ redriven: 0, failed: 1 });
      keepsLeftOut(onTheBus(known(['Placed', 'Merged', 'Recalled']), letters, bus.publish));
      expect(await redriveLetters(letters, group, { subject: id })).toMatchObject({ redriven: 1, failed: 0 });
      expect(told(bus)).toEqual([...sequences, Number(revision) + 1]);
      expect(await keptOf(letters, id)).toEqual([]);
    });

    test('goes on, killed in the middle, from what was stored, by whichever process; the one that had it does nothing more', async () => {
      const clock = new FakeClock();
      const letters = new LetterBook({ ...lettersIn(world.documents).options, clock });
      const second = new LetterBook(letters.options);
      const types = Array.from({ length: 35 }, (_, n) => (n === 4 || n === 33 ? 'Recalled' : 'Merged'));
      const stream = await leftOutBy(letters, 'killed', types);
      const hung = Promise.withResolvers<void>();
      const stuck = Promise.withResolvers<void>();
      const [before, after] = [busOf(), busOf()];
      const publish = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
        if (events.some(({ sequence }) => sequence === 21)) {
          stuck.resolve();
          await hung.promise;
        }
        await before.publish(topic, events);
      };
      keepsLeftOut(onTheBus(faulty, letters, publish));
      keepsLeftOut(onTheBus(faulty, second, after.publish));
      const first = takeUpLine(letters, group, `store ${stream}`);
      await stuck.promise;
      expect(await takeUpLine(second, group, `store ${stream}`)).toMatchObject({ done: 0, stopped: { since: 'busy' } });
      await clock.advance(60_000);
      expect(await takeUpLine(second, group, `store ${stream}`)).toEqual({ done: 1, failed: 0 });
      expect(told(after)).toEqual([...Array.from({ length: 13 }, (_, n) => n + 21), 35]);
      hung.resolve();
      expect(await first).toMatchObject({ done: 0, failed: 0 });
      expect(told(before)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1).filter((n) => n !== 5));
      expect((await keptOf(letters, 'killed')).map(({ event }) => (event as { from: string }).from).sort()).toEqual(['33', '4']);
    });

    test('and was buried whole by the release before is whole again when it is redriven, but for that one', async () => {
      const letters = lettersIn(world.documents);
      const bus = busOf();
      const stream = await leftOutBy(letters, 'buried', ['Merged', 'Recalled', 'Placed']);
      const of = letters.of(group);
      const [range] = await keptOf(letters, 'buried');
      const buried = { ...(range as DeadLetter), _id: `${group}:${stream}@0`, version: 1, reason: 'failed', line: null } as const;
      await of.write([{ delete: String(range?._id) }, { insert: buried }]);
      keepsLeftOut(onTheBus(faulty, letters, bus.publish));
      expect(await redriveLetters(letters, group, { subject: 'buried' })).toMatchObject({ redriven: 1, failed: 0 });
      expect(told(bus)).toEqual([1, 3]);
      expect(await keptOf(letters, 'buried')).toMatchObject([{ reason: 'failed', event: { from: '1', upto: '1' } }]);
    });
  });

  test('that two relays leave out at once, one of which has more of it, is taken up to the last event', async () => {
    const letters = lettersIn(world.documents);
    const bus = busOf();
    const one = await order('twice');
    const events = [await one.append('Merged'), await one.append('Placed'), await one.append('Placed')];
    // Both see that nothing is left out yet before either notes it.
    const both = Promise.withResolvers<void>();
    let looked = 0;
    const of = letters.of('invoicing.publishing');
    const together = new LetterBook({
      ...letters.options,
      deadLetters: () => ({
        ...of,
        async *find(...given) {
          yield* of.find(...given);
          if ((looked += 1) === 2) both.resolve();
          await both.promise;
        },
      }),
    });
    const relaying = { store: world.store, publishers: [old as Publisher], letters: together, publish: bus.publish };
    await Promise.all([createRelay(relaying)(events.slice(0, 2)), createRelay(relaying)(events)]);
    keepsLeftOut({ ...relaying, publishers: [next as Publisher], letters });
    await takeUpLine(letters, 'invoicing.publishing', `store ${one.stream}`);
    expect(new Set(bus.told.map(({ event }) => event.sequence))).toEqual(new Set([1, 2, 3]));
  });
});
