import { FakeClock } from '@svc/kernel';
import { listed, type OpenDocumentStore } from './document-store.suite.ts';
import type { Collection, CollectionOptions, Doc, DocumentStore } from './port.ts';
import { createRetention, type Retention, RETENTION } from './retention.ts';
import { killedBehind } from './testing/killed-behind.ts';
import { watched } from './testing/under-way.ts';

interface Entry extends Doc {
  at: number;
  busy?: boolean;
  text?: string;
}

const MINUTE = 60_000;
const indexes = [{ fields: ['at'] }];
const silent = { error: () => undefined };

/** What a collection keeps no longer is removed, on the document store of any adapter. */
export function retentionSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`retention: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let clock: FakeClock;
    let start: number;
    let documents: DocumentStore;
    let entries: Collection<Entry>;
    let advance: (ms: number) => Promise<void>;
    const running: { stop(): Promise<void> }[] = [];

    beforeEach(async () => {
      fixture = await open();
      clock = new FakeClock();
      start = clock.now();
      const seen = watched(fixture.documents);
      ({ documents } = seen);
      advance = (ms) => clock.advance(ms, seen.settled);
      entries = documents.collection<Entry>('entries', { indexes });
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((one) => one.stop()));
      await fixture.close();
    });

    const idOf = (n: number): string => `e${String(n).padStart(6, '0')}`;
    /** Entries as old as `ageOf` says, in milliseconds. */
    const add = (from: number, to: number, ageOf: (n: number) => number, more: Partial<Entry> = {}): Promise<unknown> =>
      entries.write(
        Array.from({ length: to - from }, (_, n) => ({
          insert: { _id: idOf(from + n), version: 1, at: start - ageOf(from + n), ...more },
        })),
      );
    const ids = async (): Promise<string[]> => (await listed(entries, {}, { sort: { _id: 1 } })).map(({ _id }) => _id);
    const idsFrom = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => idOf(from + n));

    /** Keeps entries for an hour, and those that are busy. */
    const hour = (collection: Retention<Entry>['collection'] = entries): Retention<Entry> => ({
      ...{ name: 'entries', collection, field: 'at' },
      keptFrom: (now) => now - 60 * MINUTE,
      removable: (docs) => docs.filter(({ busy }) => !busy),
    });
    const run = (of: Retention<Entry> = hour(), store = documents) => {
      const started = createRetention({ documents: store, clock, logger: silent, of: [of] }).start();
      running.push(started);
      return started;
    };

    test('removes what is older than it is kept, in as many steps as it takes, and nothing else', async () => {
      await add(0, 450, () => 61 * MINUTE);
      await add(450, 500, () => 50 * MINUTE);
      run();
      await advance(2 * MINUTE);
      expect(await ids()).toEqual(idsFrom(450, 500));
      await advance(12 * MINUTE);
      expect(await ids()).toEqual([]);
    });

    test('removes by the ids, where these are in the order of time', async () => {
      await add(0, 300, (n) => n);
      run({ name: 'entries', collection: entries, field: '_id', keptFrom: () => idOf(250) });
      await advance(2 * MINUTE);
      expect(await ids()).toEqual(idsFrom(250, 300));
    });

    test('passes what stays although it is older, and asks again in the next pass', async () => {
      await add(0, 150, (n) => 100 * MINUTE - n, { busy: true });
      await add(150, 400, (n) => 90 * MINUTE - n);
      run();
      await advance(2 * MINUTE);
      expect(await ids()).toEqual(idsFrom(0, 150));
      await entries.claim({ at: { $lt: start } }, { set: { busy: false } });
      await advance(11 * MINUTE);
      expect(await ids()).toEqual([]);
    });

    test('reads and removes a few long ones at a time', async () => {
      await add(0, 30, (n) => 100 * MINUTE - n, { text: 'x'.repeat(60_000) });
      await add(30, 32, (n) => 100 * MINUTE - n, { text: 'x'.repeat(600_000) });
      let most = 0;
      const write: Collection<Entry>['write'] = (ops) => ((most = Math.max(most, ops.length)), entries.write(ops));
      run(hour({ ...entries, write }));
      await advance(2 * MINUTE);
      expect([await ids(), most > 1, most <= 5]).toEqual([[], true, true]);
    });

    test('leaves a document that was changed after it was read', async () => {
      await add(0, 3, () => 100 * MINUTE);
      const page: Collection<Entry>['page'] = async (...asked) => {
        const found = await entries.page(...asked);
        await entries.claim({ _id: idOf(1) }, { set: { busy: true } });
        return found;
      };
      run(hour({ ...entries, page }));
      await advance(2 * MINUTE);
      expect(await ids()).toEqual([idOf(1)]);
    });

    test('is done once by several replicas', async () => {
      await add(0, 1_000, (n) => 100 * MINUTE - n);
      const deleted: string[] = [];
      const write: Collection<Entry>['write'] = (ops) => {
        for (const op of ops) if ('delete' in op) deleted.push(op.delete);
        return entries.write(ops);
      };
      for (let replica = 0; replica < 3; replica += 1) run(hour({ ...entries, write }));
      await advance(2 * MINUTE);
      expect(await ids()).toEqual([]);
      expect(deleted.sort()).toEqual(idsFrom(0, 1_000));
    });

    test('goes on after the store has failed for a while', async () => {
      await add(0, 250, (n) => 100 * MINUTE - n);
      let isAway = true;
      const through = <A extends unknown[], T>(work: (...asked: A) => Promise<T>) => {
        return (...asked: A): Promise<T> => (isAway ? Promise.reject(new Error('away')) : work(...asked));
      };
      const away: DocumentStore = {
        ...documents,
        collection<D extends Doc>(of: string, options?: CollectionOptions): Collection<D> {
          const all = documents.collection<D>(of, options);
          return { ...all, write: through(all.write), claim: through(all.claim) };
        },
      };
      run(hour(away.collection<Entry>('entries', { indexes })), away);
      await advance(5 * MINUTE);
      expect((await ids()).length).toBe(250);
      isAway = false;
      await advance(5 * MINUTE);
      expect(await ids()).toEqual([]);
    });

    test('is gone on with by the next process, whichever write the process before was killed at', async () => {
      for (let writes = 0, isOver = false; !isOver; writes += 1) {
        await add(0, 120, (n) => 100 * MINUTE - n, { busy: true });
        await add(120, 330, (n) => 100 * MINUTE - n);
        await add(330, 340, () => 0);
        const killed = killedBehind(documents, writes);
        const process = run(hour(killed.documents.collection<Entry>('entries', { indexes })), killed.documents);
        await advance(3 * MINUTE);
        isOver = !killed.isDead();
        running.splice(running.indexOf(process), 1);
        if (isOver) await process.stop(); // a dead one ends no more
        await add(340, 341, () => 100 * MINUTE);
        const next = run();
        await advance(12 * MINUTE);
        expect([writes, await ids()]).toEqual([writes, [...idsFrom(0, 120), ...idsFrom(330, 340)]]);
        await next.stop();
        await entries.write((await ids()).map((id) => ({ delete: id })));
        await documents.collection(RETENTION).write([{ delete: 'entries' }]);
        start = clock.now();
      }
    });

    test('says about how many documents a collection has, and how long they are', async () => {
      expect(await entries.size()).toEqual({ documents: 0, bytes: 0 });
      await add(0, 1_000, (n) => n, { text: 'lorem ipsum '.repeat(40) });
      const { documents: count, bytes } = await entries.size();
      expect([count, bytes > 100_000, bytes < 1_000_000]).toEqual([1_000, true, true]);
      run({ name: 'entries', collection: entries, field: '_id', keptFrom: () => idOf(900) });
      await advance(2 * MINUTE);
      expect((await entries.size()).documents).toBe(100);
    });
  });
}
