import { Conflict, createIds, jsonNumber, numberText, prefixed, systemClock, type NewEvent, type Recorded } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { numberingSuite } from './numbering.suite.ts';
import { BATCH_BYTES, type Batch, type EventStore } from './port.ts';
import { watchSuite } from './watch.suite.ts';

/** An adapter whose store may hold other streams already. */
export interface OpenEventStore {
  store: EventStore;
  /** Reopens the store as after a restart of the process. */
  reopen(): Promise<EventStore>;
  close(): Promise<void>;
}

/** Every adapter of the event store port passes these tests. */
export function eventStoreSuite(name: string, open: () => Promise<OpenEventStore>): void {
  describe(`event store: ${name}`, () => {
    const ids = createIds(systemClock);
    let fixture: OpenEventStore;
    let store: EventStore;
    /** Streams of this test: the store may be shared. */
    let account: string;
    let stream: string;
    const stops: (() => Promise<void>)[] = [];

    beforeEach(async () => {
      fixture = await open();
      store = fixture.store;
      account = prefixed('acct', ids.next());
      stream = `invoice-test.${account}.${prefixed('inv', ids.next())}`;
    });
    afterEach(async () => {
      for (const stop of stops.splice(0)) await stop();
      await fixture.close();
    });

    const event = (data: object = {}, type = 'Happened'): NewEvent => ({
      id: ids.next(),
      type,
      data,
      metadata: { v: 1, account, env: 'test' },
    });
    const events = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => event({ n }));
    const mine = (batch: Batch): Recorded[] => batch.events.filter(({ metadata }) => metadata.account === account);

    /** Subscribes and collects events; the handler throws `fails` times first. */
    function subscribe(from: bigint | 'start', { on = store, fails = 0 } = {}) {
      const batches: Batch[] = [];
      const got: Recorded[] = [];
      let failures = 0;
      const stop = on.subscribe(from, async (batch) => {
        batches.push(batch);
        if (mine(batch).length > 0 && failures++ < fails) throw new Error('not now');
        got.push(...mine(batch));
      });
      stops.push(stop);
      return { batches, got, stop, ids: () => got.map(({ id }) => id) };
    }

    describe('append and read', () => {
      test('an event is read as appended: data, exact numbers, any text, metadata, revision and time', async () => {
        const before = systemClock.now();
        const first: NewEvent = {
          id: ids.next(),
          type: 'InvoiceCreated',
          data: { note: 'ë "𝄞"\n\u0000', none: null, deep: [{ x: true }], total: jsonNumber('12345678901234567.89') },
          metadata: {
            v: 2,
            account,
            env: 'test',
            command_id: ids.next(),
            actor: { type: 'member', id: 'mem_1' },
            traceparent: '00-a-b-01',
          },
        };
        expect(await store.append(stream, 'none', [first])).toMatchObject({ revision: 0n });
        const [found] = await store.read(stream);
        expect(numberText((found?.data as { total?: unknown }).total)).toBe('12345678901234567.89');
        expect({ ...found, data: { ...found?.data, total: 0 } }).toEqual({
          ...first,
          data: { ...first.data, total: 0 },
          stream,
          revision: 0n,
          recordedAt: expect.any(Number) as number,
          bytes: found?.bytes,
          position: expect.any(BigInt) as bigint,
        });
        expect(Math.abs((found?.recordedAt ?? 0) - before)).toBeLessThan(60_000);
      });

      test('a stream that does not exist reads as empty', async () => {
        expect(await store.read(stream)).toEqual([]);
        expect(await store.read(stream, 5n, 1)).toEqual([]);
      });

      test('revisions count from 0 without a gap, over several appends', async () => {
        expect(await store.append(stream, 'none', events(2))).toMatchObject({ revision: 1n });
        expect(await store.append(stream, 1n, events(3))).toMatchObject({ revision: 4n });
        expect((await store.read(stream)).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n, 4n]);
      });

      test('a read starts at the given revision and returns at most the given number', async () => {
        await store.append(stream, 'none', events(5));
        expect((await store.read(stream, 3n)).map(({ revision }) => revision)).toEqual([3n, 4n]);
        expect((await store.read(stream, 1n, 2)).map(({ revision }) => revision)).toEqual([1n, 2n]);
        expect(await store.read(stream, 5n)).toEqual([]);
      });

      test('a read ends with the event that reaches the byte limit, however large it is', async () => {
        const sizes = [10, 10, 1_000, 200_000, 10, 500_000, 10];
        const data = sizes.map((size) => event({ text: 'x'.repeat(size) }));
        await store.append(stream, 'none', data);
        const read = async (from: bigint, max: number, bytes: number) =>
          (await store.read(stream, from, max, bytes)).map(({ revision }) => Number(revision));
        expect(await read(0n, 100, 1_000)).toEqual([0, 1, 2]);
        expect(await read(3n, 100, 1_000)).toEqual([3]);
        expect(await read(4n, 100, 65_536)).toEqual([4, 5]);
        expect(await read(0n, 2, 65_536)).toEqual([0, 1]);
        expect(await read(0n, 100, 10_000_000)).toEqual([0, 1, 2, 3, 4, 5, 6]);
        expect(await read(6n, 100, 1)).toEqual([6]);
        expect(await read(7n, 100, 1)).toEqual([]);
        expect(await store.append(stream, 6n, [event()])).toMatchObject({ revision: 7n });
      });

      test('`end` is the revision with which a stream ends, wherever the store says it', async () => {
        const isEnd = (on: EventStore, end: bigint | 'none') => expect([undefined, end]).toContain(on.end(stream));
        isEnd(store, 'none');
        await store.append(stream, 'none', events(2));
        isEnd(store, 1n);
        await store.append(stream, 1n, events(1));
        isEnd(store, 2n);
        await expect(store.append(stream, 0n, events(1))).rejects.toThrow(Conflict);
        isEnd(store, 2n);
        isEnd(await fixture.reopen(), 2n);
      });

      test('a stream of 1,000 events is read completely and in order', async () => {
        await store.append(stream, 'none', events(600));
        await store.append(stream, 599n, events(400));
        expect((await store.read(stream)).map(({ revision }) => Number(revision))).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
      });

      test('`tail` returns the last events of a stream of any length in order, and none without a stream', async () => {
        expect(await store.tail(stream, 3)).toEqual([]);
        await store.append(stream, 'none', events(600));
        await store.append(stream, 599n, events(400));
        expect((await store.tail(stream, 3)).map(({ revision }) => revision)).toEqual([997n, 998n, 999n]);
        expect(await store.tail(stream, 1)).toEqual(await store.read(stream, 999n));
        expect(await store.tail(stream, 2_000)).toEqual(await store.read(stream));
        expect(await (await fixture.reopen()).tail(stream, 1)).toMatchObject([{ revision: 999n, data: { n: 399 } }]);
      });

      test('a stream that was read before it existed can be appended to and read', async () => {
        await store.tail(stream, 1);
        await store.append(stream, 'none', events(2));
        expect(await store.tail(stream, 1)).toMatchObject([{ revision: 1n }]);
      });

      test('a subscription gets at most 4 MiB of data at once, of history and of new events', async () => {
        const from = await store.head();
        const large = (): NewEvent[] => Array.from({ length: 3 }, () => event({ text: 'x'.repeat(300_000) }));
        for (let n = 0; n < 6; n += 1) await store.append(stream, n === 0 ? 'none' : BigInt(3 * n - 1), large());
        const { batches, got } = subscribe(from);
        await until(() => got.length === 18);
        for (let n = 6; n < 12; n += 1) await store.append(stream, BigInt(3 * n - 1), large());
        await until(() => got.length === 36);
        expect(got.map(({ revision }) => Number(revision))).toEqual(Array.from({ length: 36 }, (_, n) => n));
        for (const batch of batches) {
          const bytes = batch.events.reduce((sum, one) => sum + one.bytes, 0);
          expect(batch.events.length === 1 || bytes <= BATCH_BYTES).toBe(true);
        }
      });

      test('a subscription gets what an event of this process carries; it is not stored', async () => {
        const { got } = subscribe(await store.head());
        const after = { state: {}, bytesBefore: 0 };
        await store.append(stream, 'none', [{ ...event(), after }]);
        await until(() => got.length === 1);
        expect(got[0]?.after).toBe(after);
        expect([...(await store.read(stream)), ...(await store.tail(stream, 1))].map((one) => one.after)).toEqual([undefined, undefined]);
      });

      test('the stored bytes of data are returned by append, read and subscription', async () => {
        const { got } = subscribe(await store.head());
        const texts = ['x'.repeat(1_000), 'ë'.repeat(500)];
        const { bytes } = await store.append(
          stream,
          'none',
          texts.map((text) => event({ text })),
        );
        const read = await store.read(stream);
        for (const one of read) expect(one.bytes).toBeGreaterThanOrEqual(1_000);
        expect(read.reduce((sum, one) => sum + one.bytes, 0)).toBe(bytes);
        await until(() => got.length === 2);
        expect(got.map((one) => one.bytes)).toEqual(read.map((one) => one.bytes));
      });

      test('what cannot be stored is rejected before anything is written', async () => {
        await expect(store.append(stream, 'none', [])).rejects.toThrow(RangeError);
        await expect(store.append(stream, 'none', [event(), event({}, '')])).rejects.toThrow('has no type');
        await expect(store.append(stream, 'none', [event({ text: 'x'.repeat(1_048_576) })])).rejects.toThrow('at most 1048576');
        expect(await store.read(stream)).toEqual([]);
        await store.append(stream, 'none', [event({ text: 'x'.repeat(1_048_000) })]);
      });
    });

    describe('expected revisions', () => {
      test.each([
        ['none, where it exists', 'none', 2n],
        ['one behind', 1n, 2n],
        ['one ahead', 3n, 2n],
      ] as const)('%s: throws a conflict with the actual revision and stores nothing', async (_, expected, actual) => {
        await store.append(stream, 'none', events(3));
        const conflict = await store.append(stream, expected, events(1)).catch((error: unknown) => error);
        expect(conflict).toBeInstanceOf(Conflict);
        expect(conflict).toMatchObject({ stream, expected, actual });
        expect(await store.read(stream)).toHaveLength(3);
      });

      test('a stream that is expected but does not exist: throws a conflict with the actual revision `none`', async () => {
        await expect(store.append(stream, 0n, events(1))).rejects.toMatchObject({ name: 'Conflict', actual: 'none' });
      });

      test('of 20 concurrent writers at one revision one wins, the others get a conflict', async () => {
        await store.append(stream, 'none', events(1));
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store.append(stream, 0n, events(2))));
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
        expect(refused.every((reason) => reason instanceof Conflict)).toBe(true);
        expect(await store.read(stream)).toHaveLength(3);
      });
    });

    describe('a repeated append', () => {
      test('returns the first result, also after later events, and stores nothing more', async () => {
        const [first, second] = [events(2), events(2)];
        await store.append(stream, 'none', first);
        await store.append(stream, 1n, second);
        expect(await store.append(stream, 'none', first)).toMatchObject({ revision: 1n });
        expect(await store.append(stream, 1n, second)).toMatchObject({ revision: 3n });
        expect(await store.read(stream)).toHaveLength(4);
      });

      test('concurrent with the first is stored once', async () => {
        const both = events(2);
        const answers = await Promise.all(Array.from({ length: 5 }, () => store.append(stream, 'none', both)));
        expect(answers).toMatchObject(Array(5).fill({ revision: 1n }));
        expect(await store.read(stream)).toHaveLength(2);
      });

      test('with both a stored and a new id is a conflict', async () => {
        const [old] = events(1) as [NewEvent];
        await store.append(stream, 'none', [old]);
        await expect(store.append(stream, 'none', [old, event()])).rejects.toMatchObject({ name: 'Conflict', actual: 0n });
        await expect(store.append(stream, 'none', [event(), old])).rejects.toBeInstanceOf(Conflict);
        expect(await store.read(stream)).toHaveLength(1);
      });

      test('at another revision is no repeat: ids are compared only right after the expected revision', async () => {
        const [old] = events(1) as [NewEvent];
        await store.append(stream, 'none', [old]);
        await store.append(stream, 0n, events(1));
        await expect(store.append(stream, 0n, [old])).rejects.toMatchObject({ name: 'Conflict', actual: 1n });
        expect(await store.append(stream, 1n, [old])).toMatchObject({ revision: 2n });
      });
    });

    describe('subscribe', () => {
      test('delivers everything after a position, in the order of the store, then new events', async () => {
        await store.append(stream, 'none', events(3));
        const from = (await store.read(stream))[0]?.position as bigint;
        const subscription = subscribe(from);
        await until(() => subscription.got.length === 2);
        await store.append(stream, 2n, events(2));
        await until(() => subscription.got.length === 4);
        expect(subscription.got).toEqual(await store.read(stream, 1n));
      });

      test('from the start, across streams', async () => {
        const other = `receipt-test.${account}.${prefixed('rcp', ids.next())}`;
        const subscription = subscribe('start');
        await store.append(stream, 'none', events(1));
        await store.append(other, 'none', events(1));
        await store.append(stream, 0n, events(1));
        await until(() => subscription.got.length === 3);
        expect(subscription.got.map((got) => got.stream)).toEqual([stream, other, stream]);
        const positions = subscription.got.map(({ position }) => position);
        expect(positions).toEqual([...positions].sort((a, b) => Number(a - b)));
      });

      test('reports that it has caught up and up to which position, also when there is nothing to read', async () => {
        await store.append(stream, 'none', events(1));
        const head = await store.head();
        const subscription = subscribe(head);
        await until(() => subscription.batches.some(({ caughtUp }) => caughtUp));
        expect(subscription.batches.find(({ caughtUp }) => caughtUp)?.position).toBeGreaterThanOrEqual(head);
        expect(subscription.got).toEqual([]);
      });

      test('batches hold at most 200 events; none is lost or duplicated while others write', async () => {
        const streams = Array.from({ length: 10 }, () => `invoice-test.${account}.${prefixed('inv', ids.next())}`);
        const from = await store.head();
        await Promise.all(streams.map((each) => store.append(each, 'none', events(60))));
        const subscription = subscribe(from);
        await Promise.all(streams.map((each) => store.append(each, 59n, events(40))));
        await until(() => subscription.got.length >= 1_000);
        expect(new Set(subscription.ids()).size).toBe(1_000);
        expect(Math.max(...subscription.batches.map((batch) => batch.events.length))).toBeLessThanOrEqual(200);
        for (const each of streams) {
          const revisions = subscription.got.filter((got) => got.stream === each).map(({ revision }) => Number(revision));
          expect(revisions).toEqual(Array.from({ length: 100 }, (_, n) => n));
        }
      });

      test('a failed batch is repeated before anything else', async () => {
        const subscription = subscribe(await store.head(), { fails: 2 });
        await store.append(stream, 'none', events(1));
        await store.append(stream, 0n, events(1));
        await until(() => subscription.got.length === 2);
        expect(subscription.got.map(({ revision }) => revision)).toEqual([0n, 1n]);
      });

      test('subscriptions do not delay each other', async () => {
        const from = await store.head();
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        stops.push(store.subscribe(from, () => held));
        const free = subscribe(from);
        await store.append(stream, 'none', events(1));
        await until(() => free.got.length === 1);
        await store.append(stream, 0n, events(1));
        await until(() => free.got.length === 2);
        release();
      });

      test('delivers nothing after stop', async () => {
        const subscription = subscribe(await store.head());
        await until(() => subscription.batches.length > 0);
        await subscription.stop();
        const other = subscribe(await store.head());
        await store.append(stream, 'none', events(1));
        await until(() => other.got.length === 1);
        expect(subscription.got).toEqual([]);
      });

      test('stop waits for the batch in hand', async () => {
        const from = await store.head();
        await store.append(stream, 'none', events(1));
        const said: string[] = [];
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const stop = store.subscribe(from, async () => {
          said.push('taken');
          await held;
          said.push('through');
        });
        await until(() => said.length > 0);
        const stopped = stop().then(() => said.push('stopped'));
        release();
        await stopped;
        expect(said).toEqual(['taken', 'through', 'stopped']);
      });
    });

    test('head is the position of the newest event, immediately after its append', async () => {
      const before = await store.head();
      await store.append(stream, 'none', events(2));
      const last = (await store.read(stream)).at(-1)?.position as bigint;
      expect(await store.head()).toBeGreaterThanOrEqual(last);
      expect(last).toBeGreaterThan(before);
    });

    test('newestAt is when the newest event was recorded, also after a restart', async () => {
      await store.append(stream, 'none', events(2));
      const recordedAt = (await store.read(stream)).at(-1)?.recordedAt as number;
      // Others may append on the server meanwhile.
      expect(await store.newestAt()).toBeGreaterThanOrEqual(recordedAt);
      expect(await (await fixture.reopen()).newestAt()).toBeGreaterThanOrEqual(recordedAt);
    });

    test('a restart keeps events, revisions and positions, and recognizes a repeated append', async () => {
      const first = events(3);
      await store.append(stream, 'none', first);
      const stored = await store.read(stream);
      const head = await store.head();
      const again = await fixture.reopen();
      expect(await again.read(stream)).toEqual(stored);
      expect(await again.head()).toBeGreaterThanOrEqual(head);
      expect(await again.append(stream, 'none', first)).toMatchObject({ revision: 2n });
      const subscription = subscribe(stored[0]?.position as bigint, { on: again });
      await again.append(stream, 2n, events(1));
      await until(() => subscription.got.length === 3);
      expect(subscription.got.map(({ revision }) => revision)).toEqual([1n, 2n, 3n]);
    });

    numberingSuite(() => ({ store, account }));
    watchSuite(() => ({ store, account }));
  });
}
