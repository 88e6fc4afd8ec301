import { FakeClock } from '@svc/kernel';
import type { OpenDocumentStore } from './document-store.suite.ts';
import { heldBy, startJobs, type Job, type JobQueue } from './jobs.ts';
import type { Collection } from './port.ts';
import { watched } from './testing/under-way.ts';

/** The tests of a job queue on any adapter. */
export function jobsSuite(name: string, open: () => Promise<OpenDocumentStore>): void {
  describe(`jobs: ${name}`, () => {
    let fixture: OpenDocumentStore;
    let clock: FakeClock;
    let advance: (ms: number) => Promise<void>;
    let start: number;
    let jobs: Collection<Job>;
    let done: { id: string; after: number; by: string }[];
    const works: JobQueue[] = [];

    beforeEach(async () => {
      fixture = await open();
      clock = new FakeClock();
      start = clock.now();
      const { documents, settled } = watched(fixture.documents);
      advance = (ms) => clock.advance(ms, settled);
      jobs = documents.collection<Job>('jobs', { indexes: [{ fields: ['due_at'] }] });
      done = [];
    });
    afterEach(async () => {
      await Promise.all(works.splice(0).map((work) => work.stop()));
      await fixture.close();
    });

    const add = (...dues: [string, number | null][]): Promise<unknown> =>
      jobs.write(dues.map(([id, after]) => ({ put: { _id: id, version: 1, due_at: after === null ? null : start + after } })));
    const finish = (doc: Job, next: number | null = null): Promise<unknown> =>
      jobs.claim({ _id: doc._id, version: doc.version }, { set: { due_at: next } });

    const work = (handle?: (docs: Job[]) => Promise<void>, by = 'a', batch?: number, holder?: string): JobQueue => {
      const finishing = async (docs: Job[]): Promise<void> => {
        done.push(...docs.map(({ _id }) => ({ id: _id, after: clock.now() - start, by })));
        await Promise.all(docs.map((doc) => finish(doc)));
      };
      const started = startJobs({
        name: 'jobs',
        collection: jobs,
        clock,
        handle: handle ?? finishing,
        batch,
        holder,
        logger: { error: () => undefined },
      });
      works.push(started);
      return started;
    };
    const doneAt = (): [string, number][] => done.map(({ id, after }) => [id, after]);

    test('are done at their due time, in order; a document without a due time is left alone', async () => {
      await add(['later', 7_777], ['never', null], ['past', -5_000], ['soon', 130], ['now', 0]);
      work();
      await advance(60_000);
      expect(doneAt()).toEqual([
        ['past', 0],
        ['now', 0],
        ['soon', 130],
        ['later', 7_777],
      ]);
    });

    test('added by another process are found within a second', async () => {
      work();
      await advance(100_000);
      await add(['new', 100_000]);
      await advance(1_000);
      expect(done.map(({ id }) => id)).toEqual(['new']);
    });

    test('are done at once after `wake`', async () => {
      const worker = work();
      await advance(10);
      await add(['new', 10]);
      worker.wake();
      await advance(0);
      expect(doneAt()).toEqual([['new', 10]]);
    });

    test('each go to one of two workers, and both work', async () => {
      await add(...Array.from({ length: 100 }, (_, n): [string, number] => [`j${n}`, n]));
      work(undefined, 'a', 5);
      work(undefined, 'b', 5);
      await advance(1_000);
      expect(done).toHaveLength(100);
      expect(new Set(done.map(({ id }) => id)).size).toBe(100);
    });

    test('return a minute after their handler threw, and do not delay others', async () => {
      let tries = 0;
      await add(['bad', 0], ['good', 2_000]);
      work(async (docs) => {
        for (const doc of docs) {
          done.push({ id: doc._id, after: clock.now() - start, by: 'a' });
          if (doc._id === 'bad' && (tries += 1) < 3) throw new Error('not now');
          await finish(doc);
        }
      });
      await advance(200_000);
      expect(doneAt()).toEqual([
        ['bad', 0],
        ['good', 2_000],
        ['bad', 60_000],
        ['bad', 120_000],
      ]);
    });

    test('claimed by a worker that died are taken over when the claim has run out', async () => {
      await add(['orphan', 0]);
      await jobs.claim({ due_at: { $lte: start } }, { set: { due_at: start + 60_000 } });
      work();
      await advance(59_999);
      expect(done).toEqual([]);
      await advance(1);
      expect(doneAt()).toEqual([['orphan', 60_000]]);
    });

    test('claimed by a process that died are taken over at once by the next one of its name; scheduled ones, and those of others, are not', async () => {
      await add(['orphan', 0], ['other', 0], ['later', 30_000]);
      const until = start + 60_000;
      await jobs.claim({ _id: 'orphan' }, { set: heldBy('host /data', until) });
      await jobs.claim({ _id: 'other' }, { set: heldBy('another', until) });
      await jobs.claim({ _id: 'later' }, { set: { ...heldBy('host /data', until), due_at: start + 30_000 } });
      work(undefined, 'a', undefined, 'host /data');
      await advance(1_000);
      expect(doneAt()).toEqual([['orphan', 0]]);
      await advance(60_000);
      expect(doneAt()).toEqual([
        ['orphan', 0],
        ['later', 30_000],
        ['other', 60_000],
      ]);
    });

    test('that a named process holds are due when it has died, whatever their number', async () => {
      await add(...Array.from({ length: 450 }, (_, n): [string, number] => [`j${n}`, 0]));
      const dead = work(() => new Promise(() => undefined), 'dead', 450, 'name');
      works.pop();
      await advance(10);
      expect(await dead.lag()).toBe(0);
      work(undefined, 'a', 200, 'name');
      await advance(1_000);
      expect(done).toHaveLength(450);
    });

    test('continue after the collection has failed for a while', async () => {
      await add(['job', 0]);
      let broken = true;
      const claim = jobs.claim;
      jobs.claim = (...args) => (broken ? Promise.reject(new Error('no connection')) : claim(...args));
      work();
      await advance(5_000);
      broken = false;
      await advance(1_000);
      expect(done.map(({ id }) => id)).toEqual(['job']);
    });

    test('in work are finished before stop resolves, and no more are taken', async () => {
      await add(['one', 0], ['two', 0]);
      const released = Promise.withResolvers<void>();
      const worker = work(
        async (docs) => {
          await released.promise;
          for (const doc of docs) {
            await finish(doc);
            done.push({ id: doc._id, after: 0, by: 'a' });
          }
        },
        'a',
        1,
      );
      await advance(10);
      let stopped = false;
      const stopping = worker.stop().then(() => (stopped = true));
      await advance(10_000);
      expect(stopped).toBe(false);
      released.resolve();
      await stopping;
      await advance(10_000);
      expect(done).toHaveLength(1);
    });

    test('reports how long the oldest due one has been waiting', async () => {
      const worker = work(() => new Promise(() => undefined));
      works.pop();
      expect(await worker.lag()).toBe(0);
      await advance(1);
      await add(['claimed', 0]);
      worker.wake();
      await advance(10);
      await add(['waiting', 0], ['later', 90_000]);
      await advance(2_489);
      expect(await worker.lag()).toBe(2.5);
    });
  });
}
