import { topics, type PublicEvent, type Topic } from '@svc/contracts/events/envelope';
import type { DeadLetter } from '@svc/event-bus';
import { DeadLetterQueues } from '@svc/event-bus/dead-letters/queues';
import { redriveDeadLetters } from '@svc/event-bus/dead-letters/redrive';
import { takeUpLine } from '@svc/event-bus/dead-letters/take-up';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { createRelay, publishesSkipped } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { FakeClock, UnknownEvent, type Recorded } from '@svc/kernel';
import { callerOf, dataFolder, openSystem, type System } from '../testing/open-system.ts';

const folder = dataFolder();
let system: System;
beforeAll(() => {
  system = openSystem(folder.path);
});
afterAll(() => {
  system.engine.close();
  folder.remove();
});

function busOf() {
  const published: { topic: Topic; event: PublicEvent }[] = [];
  const publish = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
    published.push(...events.map((event) => ({ topic, event })));
  };
  return { published, publish };
}

describe('a stream with an event of the next release', () => {
  const known = (types: string[]): Publisher<string[]> => ({
    category: 'order',
    topics: [topics.invoice],
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
    const { account, env } = callerOf(system);
    const stream = `order-${env}.${account}.${id}`;
    let revision: bigint | 'none' = 'none';
    return {
      stream,
      async append(type: string): Promise<Recorded> {
        ({ revision } = await system.store.append(stream, revision, [
          { id: system.ids.next(), type, data: {}, metadata: { v: 1, account, env } },
        ]));
        return (await system.store.read(stream, revision, 1))[0] as Recorded;
      },
    };
  }

  test('is not published from that event on, while other streams are; a release that knows the event publishes the rest in order', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const bus = busOf();
    const onTheBus = (publisher: Publisher<string[]>) => ({
      source: 'invoicing',
      ...{ store: system.store, publishers: [publisher as Publisher], deadLetters, publish: bus.publish },
    });
    const [a, b] = [await order('a'), await order('b')];
    const sequencesOn = () => bus.published.map(({ event }) => `${event.subject} ${event.sequence}`);
    const relay = createRelay(onTheBus(old));
    publishesSkipped(onTheBus(old));
    const events = [await a.append('Placed'), await a.append('Merged'), await b.append('Placed'), await a.append('Placed')];
    await relay(events);
    await relay(events); // repeated, as after a lost acknowledgement
    await relay([await a.append('Placed'), await b.append('Placed')]);
    expect(sequencesOn()).toEqual(['a 1', 'b 1', 'a 1', 'b 1', 'b 2']);
    const waiting = await Array.fromAsync(deadLetters.of('invoicing.publishing').find({ reason: 'unknown_type' }));
    expect(waiting).toMatchObject([{ event: { stream: a.stream, from: '1', upto: '3' }, event_type: 'Merged', event_subject: 'a' }]);

    const takeUp = () => takeUpLine(deadLetters, 'invoicing.publishing', String(waiting[0]?.line));
    expect(await takeUp()).toMatchObject({ done: 0, stopped: { since: 'unknown' } });
    publishesSkipped(onTheBus(next));
    expect(await takeUp()).toMatchObject({ done: 1 });
    expect(sequencesOn().slice(5)).toEqual(['a 2', 'a 3', 'a 4']);
    expect(await deadLetters.of('invoicing.publishing').count({})).toBe(0);

    // The old release still runs the relay: it skips new events, which are taken up again.
    await relay([await a.append('Placed'), await b.append('Placed')]);
    expect(sequencesOn().slice(8)).toEqual(['b 3']);
    expect(await takeUp()).toMatchObject({ done: 1 });
    await createRelay(onTheBus(next))([await a.append('Placed')]);
    expect(sequencesOn().slice(9)).toEqual(['a 5', 'a 6']);
    expect((bus.published.at(-1)?.event.data as { state: string[] }).state).toHaveLength(6);
  });

  test('is not read for its later events, which are skipped unread', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const read: string[] = [];
    const store: Pick<typeof system.store, 'read'> = {
      read: (stream, ...more) => (read.push(stream), system.store.read(stream, ...more)),
    };
    const [d, e] = [await order('unread'), await order('besides')];
    const relay = () => createRelay({ source: 'invoicing', store, publishers: [old as Publisher], deadLetters, publish: busOf().publish });
    await relay()([await d.append('Placed'), await d.append('Merged'), await e.append('Placed')]);
    read.length = 0;
    await relay()([await d.append('Placed'), await e.append('Placed')]);
    expect(new Set(read)).toEqual(new Set([e.stream]));
    for await (const { _id } of deadLetters.of('invoicing.publishing').find({}))
      await deadLetters.of('invoicing.publishing').write([{ delete: _id }]);
  });

  test('loses no event when it grows while it is taken up', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const c = await order('c');
    const bus = busOf();
    const oldRelay = createRelay({
      source: 'invoicing',
      store: system.store,
      publishers: [old as Publisher],
      deadLetters,
      publish: bus.publish,
    });
    await oldRelay([await c.append('Merged')]);
    const growing = async (topic: Topic, events: PublicEvent[]): Promise<void> => {
      await bus.publish(topic, events);
      if (bus.published.length < 3) await oldRelay([await c.append('Placed')]);
    };
    publishesSkipped({ source: 'invoicing', store: system.store, publishers: [next as Publisher], deadLetters, publish: growing });
    await takeUpLine(deadLetters, 'invoicing.publishing', `store ${c.stream}`);
    expect([...new Set(bus.published.map(({ event }) => event.sequence))]).toEqual([1, 2, 3]);
    expect(await deadLetters.of('invoicing.publishing').count({})).toBe(0);
  });

  test('an event whose mapping fails is stored as a dead letter, and the rest of its stream is published', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const d = await order('d');
    const bus = busOf();
    const failing: Publisher<string[]> = {
      ...next,
      publish(recorded, state) {
        if (recorded.type === 'Merged') throw new TypeError('undefined is no total');
        return next.publish(recorded, state);
      },
    };
    const relay = createRelay({
      source: 'invoicing',
      store: system.store,
      publishers: [failing as Publisher],
      deadLetters,
      publish: bus.publish,
    });
    await relay([await d.append('Placed'), await d.append('Merged'), await d.append('Placed')]);
    expect(bus.published.map(({ event }) => event.sequence)).toEqual([1, 3]);
    const kept = await Array.fromAsync(deadLetters.of('invoicing.publishing').find({ event_subject: 'd' }));
    expect(kept).toMatchObject([{ reason: 'failed', error: 'undefined is no total', line: null, event: { from: '1', upto: '1' } }]);
  });

  describe('with an event whose mapping fails', () => {
    /** Knows every type, but its mapping of `Recalled` throws. */
    const faulty: Publisher<string[]> = {
      ...known(['Placed', 'Merged', 'Recalled']),
      publish(recorded, state) {
        if (recorded.type === 'Recalled') throw new TypeError('undefined is no total');
        return next.publish(recorded, state);
      },
    };
    const group = 'invoicing.publishing';
    const sequencesOn = (bus: ReturnType<typeof busOf>) => bus.published.map(({ event }) => event.sequence);
    const onTheBus = (publisher: Publisher<string[]>, deadLetters: DeadLetterQueues, publish: ReturnType<typeof busOf>['publish']) => ({
      source: 'invoicing',
      ...{ store: system.store, publishers: [publisher as Publisher], deadLetters, publish },
    });
    const keptOf = (deadLetters: DeadLetterQueues, subject: string) =>
      Array.fromAsync(deadLetters.of(group).find({ event_subject: subject }));
    /** Appends these events; the old release leaves them out from the first on. */
    async function skippedBy(deadLetters: DeadLetterQueues, id: string, types: string[]): Promise<string> {
      const one = await order(id);
      const events: Recorded[] = [];
      for (const type of types) events.push(await one.append(type));
      await createRelay(onTheBus(old, deadLetters, busOf().publish))(events);
      return one.stream;
    }

    test.each([
      ['first', ['Recalled', 'Placed', 'Placed'], [2, 3], '0'],
      ['in the middle', ['Merged', 'Recalled', 'Placed'], [1, 3], '1'],
      ['last', ['Merged', 'Placed', 'Recalled'], [1, 2], '2'],
    ])('stores only that event as a dead letter, where it is %s', async (where, types, sequences, revision) => {
      const deadLetters = deadLettersIn(system.documents);
      const bus = busOf();
      const id = `faulty_${where.replaceAll(' ', '_')}`;
      const stream = await skippedBy(deadLetters, id, types);
      publishesSkipped(onTheBus(faulty, deadLetters, bus.publish));
      expect(await takeUpLine(deadLetters, group, `store ${stream}`)).toEqual({ done: 1, failed: 0 });
      expect(sequencesOn(bus)).toEqual(sequences);
      const kept = await keptOf(deadLetters, id);
      expect(kept).toMatchObject([{ reason: 'failed', line: null, event: { stream, from: revision, upto: revision }, held_until: 0 }]);

      expect(await redriveDeadLetters(deadLetters, group, { subject: id })).toMatchObject({ redriven: 0, failed: 1 });
      publishesSkipped(onTheBus(known(['Placed', 'Merged', 'Recalled']), deadLetters, bus.publish));
      expect(await redriveDeadLetters(deadLetters, group, { subject: id })).toMatchObject({ redriven: 1, failed: 0 });
      expect(sequencesOn(bus)).toEqual([...sequences, Number(revision) + 1]);
      expect(await keptOf(deadLetters, id)).toEqual([]);
    });

    test('another process continues after a crash from the stored progress; the first one publishes nothing more', async () => {
      const clock = new FakeClock();
      const deadLetters = new DeadLetterQueues({ ...deadLettersIn(system.documents).options, clock });
      const second = new DeadLetterQueues(deadLetters.options);
      const types = Array.from({ length: 35 }, (_, n) => (n === 4 || n === 33 ? 'Recalled' : 'Merged'));
      const stream = await skippedBy(deadLetters, 'killed', types);
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
      publishesSkipped(onTheBus(faulty, deadLetters, publish));
      publishesSkipped(onTheBus(faulty, second, after.publish));
      const first = takeUpLine(deadLetters, group, `store ${stream}`);
      await stuck.promise;
      expect(await takeUpLine(second, group, `store ${stream}`)).toMatchObject({ done: 0, stopped: { since: 'busy' } });
      await clock.advance(60_000);
      expect(await takeUpLine(second, group, `store ${stream}`)).toEqual({ done: 1, failed: 0 });
      expect(sequencesOn(after)).toEqual([...Array.from({ length: 13 }, (_, n) => n + 21), 35]);
      hung.resolve();
      expect(await first).toMatchObject({ done: 0, failed: 0 });
      expect(sequencesOn(before)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1).filter((n) => n !== 5));
      expect((await keptOf(deadLetters, 'killed')).map(({ event }) => (event as { from: string }).from).sort()).toEqual(['33', '4']);
    });

    test('a range that the previous release stored as one dead letter is published on redrive, except for that event', async () => {
      const deadLetters = deadLettersIn(system.documents);
      const bus = busOf();
      const stream = await skippedBy(deadLetters, 'buried', ['Merged', 'Recalled', 'Placed']);
      const of = deadLetters.of(group);
      const [range] = await keptOf(deadLetters, 'buried');
      const buried = { ...(range as DeadLetter), _id: `${group}:${stream}@0`, version: 1, reason: 'failed', line: null } as const;
      await of.write([{ delete: String(range?._id) }, { insert: buried }]);
      publishesSkipped(onTheBus(faulty, deadLetters, bus.publish));
      expect(await redriveDeadLetters(deadLetters, group, { subject: 'buried' })).toMatchObject({ redriven: 1, failed: 0 });
      expect(sequencesOn(bus)).toEqual([1, 3]);
      expect(await keptOf(deadLetters, 'buried')).toMatchObject([{ reason: 'failed', event: { from: '1', upto: '1' } }]);
    });
  });

  describe('of which a read of the store does not return every event', () => {
    const group = 'invoicing.publishing';
    async function skippedOf(id: string) {
      const deadLetters = deadLettersIn(system.documents);
      const bus = busOf();
      const one = await order(id);
      const events = [await one.append('Merged'), await one.append('Placed'), await one.append('Placed')];
      const onTheBus = { source: 'invoicing', store: system.store, deadLetters, publish: bus.publish };
      await createRelay({ ...onTheBus, publishers: [old as Publisher] })(events);
      const line = `store ${one.stream}`;
      const read =
        (from: (revision: bigint) => boolean): System['store']['read'] =>
        (...asked) =>
          system.store.read(...asked).then((all) => all.filter(({ revision }) => from(revision)));
      return {
        takeUpReading(isShown: (revision: bigint) => boolean) {
          publishesSkipped({ ...onTheBus, store: { read: read(isShown) }, publishers: [next as Publisher] });
          return takeUpLine(deadLetters, group, line);
        },
        sequences: () => bus.published.map(({ event }) => event.sequence),
        kept: () => Array.fromAsync(deadLetters.of(group).find({ event_subject: id })),
      };
    }

    test.each([
      ['nothing', 0n, []],
      ['the first events', 2n, [1, 2]],
    ])('waits while the read lags and returns %s, and continues once it does not', async (_shown, upto, first) => {
      const { takeUpReading, sequences, kept } = await skippedOf(`lagging_${first.length}`);
      expect(await takeUpReading((revision) => revision < upto)).toMatchObject({ failed: 0, stopped: { since: 'busy' } });
      expect(sequences()).toEqual(first);
      expect(await kept()).toMatchObject([{ reason: 'unknown_type', line: expect.any(String), event: { from: `${upto}` }, held_until: 0 }]);
      expect(await takeUpReading(() => true)).toEqual({ done: 1, failed: 0 });
      expect([sequences(), await kept()]).toEqual([[1, 2, 3], []]);
    });

    test('is a dead letter where the stream now begins after the range', async () => {
      const { takeUpReading, sequences, kept } = await skippedOf('gone');
      expect(await takeUpReading((revision) => revision > 1n)).toEqual({ done: 0, failed: 1 });
      expect(sequences()).toEqual([]);
      expect(await kept()).toMatchObject([{ reason: 'failed', line: null, event: { from: '0', upto: '2' } }]);
    });
  });

  test('relays of two processes that skip a stream at the same time, one with more events, lose no event of it', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const bus = busOf();
    const one = await order('twice');
    const events = [await one.append('Merged'), await one.append('Placed'), await one.append('Placed')];
    // Both find nothing skipped before either stores its range.
    const both = Promise.withResolvers<void>();
    let looked = 0;
    const of = deadLetters.of('invoicing.publishing');
    const together = (): DeadLetterQueues =>
      new DeadLetterQueues({
        ...deadLetters.options,
        deadLetters: () => ({
          ...of,
          async *find(...given) {
            yield* of.find(...given);
            if ((looked += 1) === 2) both.resolve();
            await both.promise;
          },
        }),
      });
    const relaying = { source: 'invoicing', store: system.store, publishers: [old as Publisher], publish: bus.publish };
    const relays = [createRelay({ ...relaying, deadLetters: together() }), createRelay({ ...relaying, deadLetters: together() })] as const;
    await Promise.all([relays[0](events.slice(0, 2)), relays[1](events)]);
    publishesSkipped({ ...relaying, publishers: [next as Publisher], deadLetters });
    await takeUpLine(deadLetters, 'invoicing.publishing', `store ${one.stream}`);
    expect(new Set(bus.published.map(({ event }) => event.sequence))).toEqual(new Set([1, 2, 3]));
  });

  test('relays of one process that skip a stream at the same time share a dead letter', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const bus = busOf();
    const one = await order('shared');
    const events = [await one.append('Merged'), await one.append('Placed'), await one.append('Placed')];
    const relaying = { source: 'invoicing', store: system.store, publishers: [old as Publisher], deadLetters, publish: bus.publish };
    await Promise.all([events.slice(0, 2), events, events.slice(0, 1)].map((some) => createRelay(relaying)(some)));
    const kept = await Array.fromAsync(deadLetters.of('invoicing.publishing').find({ event_subject: 'shared' }));
    expect(kept).toMatchObject([{ event: { stream: one.stream, from: '0', upto: '2' } }]);
  });

  test('fails the batch while other relays keep changing the dead letter; the repeated batch stores all its events', async () => {
    const deadLetters = deadLettersIn(system.documents);
    const bus = busOf();
    const one = await order('contended');
    const events = [await one.append('Merged'), await one.append('Placed'), await one.append('Placed')];
    const relaying = { source: 'invoicing', store: system.store, publishers: [old as Publisher], publish: bus.publish };
    await createRelay({ ...relaying, deadLetters })(events.slice(0, 2));
    const of = deadLetters.of('invoicing.publishing');
    const contended = new DeadLetterQueues({ ...deadLetters.options, deadLetters: () => ({ ...of, claim: () => Promise.resolve([]) }) });
    await expect(createRelay({ ...relaying, deadLetters: contended })(events.slice(2))).rejects.toMatchObject({
      code: 'service_unavailable',
    });

    await createRelay({ ...relaying, deadLetters })(events.slice(2));
    publishesSkipped({ ...relaying, publishers: [next as Publisher], deadLetters });
    await takeUpLine(deadLetters, 'invoicing.publishing', `store ${one.stream}`);
    expect(bus.published.map(({ event }) => event.sequence)).toEqual([1, 2, 3]);
  });
});
