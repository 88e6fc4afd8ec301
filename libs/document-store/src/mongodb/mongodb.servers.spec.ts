import { FakeClock, systemClock } from '@svc/kernel';
import { compareAndSetSuite } from '../compare-and-set.suite.ts';
import { documentStoreSuite, listed, type OpenDocumentStore } from '../document-store.suite.ts';
import { jobsSuite } from '../jobs.suite.ts';
import { startJobs, type Job } from '../jobs.ts';
import { keptSuite } from '../kept.suite.ts';
import { uniqueSuite } from '../unique.suite.ts';
import { unitOfWorkSuite } from '../unit-of-work.suite.ts';
import { leaseSuite } from '../lease.suite.ts';
import { fieldsSuite } from '../fields.suite.ts';
import { pageSuite } from '../page.suite.ts';
import { retentionSuite } from '../retention.suite.ts';
import type { Collection, Doc } from '../port.ts';
import { takeNamespaces } from '../testing/namespace.ts';
import { type OpenMongo, openMongo } from './open.ts';

const { url, next, drop } = takeNamespaces();
afterAll(drop);

async function open(): Promise<OpenDocumentStore> {
  const namespace = next();
  let mongo = openMongo({ url, namespace, logger: console });
  return {
    documents: mongo.database('svc_test'),
    async reopen() {
      await mongo.close();
      mongo = openMongo({ url, namespace, logger: console });
      return mongo.database('svc_test');
    },
    close: () => mongo.close(),
  };
}

documentStoreSuite('MongoDB', open);
compareAndSetSuite('MongoDB', open);
keptSuite('MongoDB', open);
uniqueSuite('MongoDB', open);
unitOfWorkSuite('MongoDB', open);
fieldsSuite('MongoDB', open);
pageSuite('MongoDB', open);
leaseSuite('MongoDB', open);
jobsSuite('MongoDB', open);
retentionSuite('MongoDB', open);

test('a database says what time it is on the server', async () => {
  const mongo = openMongo({ url, namespace: next(), logger: console });
  const before = systemClock.now();
  const time = await mongo.database('svc_test').time?.();
  // The servers of the tests run on this machine.
  expect(time).toBeGreaterThanOrEqual(before - 1_000);
  expect(time).toBeLessThanOrEqual(systemClock.now() + 1_000);
  await mongo.close();
});

interface Row extends Doc {
  by?: number;
  rank?: number;
  key?: string;
}

describe('several processes on one MongoDB', () => {
  const indexes = [{ fields: ['key'], unique: true }, { fields: ['rank'] }];
  let namespace: string;
  let mongos: OpenMongo[];
  let rows: Collection<Row>[];
  beforeEach(() => {
    namespace = next();
    mongos = [1, 2, 3, 4].map(() => openMongo({ url, namespace, logger: console }));
    rows = mongos.map((mongo) => mongo.database('svc_test').collection<Row>('rows', { indexes }));
  });
  afterEach(() => Promise.all(mongos.map((mongo) => mongo.close())));
  const everyone = <T>(times: number, work: (rows: Collection<Row>, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: times * rows.length }, (_, n) => work(rows[n % rows.length] as Collection<Row>, n)));
  const first = (): Collection<Row> => rows[0] as Collection<Row>;

  test('one of them inserts an _id, and only that one gets true', async () => {
    for (let round = 0; round < 10; round += 1) {
      const won = await everyone(10, (mine, n) => mine.insert({ _id: `r${round}`, version: 1, by: n }));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await first().get(`r${round}`))?.by).toBe(won.indexOf(true));
    }
  });

  test('one of them gets the value of a unique index', async () => {
    const won = await everyone(20, (mine, n) => mine.insert({ _id: `r${n}`, version: 1, key: 'one' }));
    expect(won.filter(Boolean)).toHaveLength(1);
    const put = await Promise.allSettled(rows.map((mine, n) => mine.write([{ put: { _id: `p${n}`, version: 1, key: 'two' } }])));
    expect(put.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listed(first(), { key: { $in: ['one', 'two'] } })).length).toBe(2);
  });

  test('the newest put stays, and none throws', async () => {
    for (let round = 0; round < 5; round += 1) {
      await everyone(25, (mine, n) => mine.write([{ put: { _id: `r${round}`, version: 1 + ((n * 37) % 100), by: (n * 37) % 100 } }]));
      expect(await first().get(`r${round}`)).toEqual({ _id: `r${round}`, version: 100, by: 99 });
    }
  });

  test('one of them changes each version', async () => {
    await first().insert({ _id: 'counter', version: 1, rank: 0 });
    const counts = await everyone(3, async (mine) => {
      let won = 0;
      for (let n = 0; n < 20; n += 1) {
        const row = (await mine.get('counter')) as Row;
        won += (await mine.claim({ _id: 'counter', version: row.version }, { set: { rank: (row.rank ?? 0) + 1 } })).length;
      }
      return won;
    });
    const total = counts.reduce((sum, won) => sum + won, 0);
    expect(await first().get('counter')).toEqual({ _id: 'counter', version: total + 1, rank: total });
  });

  test('each due document goes to one worker, although their clocks differ', async () => {
    const clock = new FakeClock();
    const clocks = [0, 700, -700, 1_500].map((ms) => new FakeClock(clock.now() + ms));
    const jobs = mongos.map((mongo) => mongo.database('svc_test').collection<Job>('jobs', { indexes: [{ fields: ['due_at'] }] }));
    await jobs[0]?.write(Array.from({ length: 300 }, (_, n) => ({ put: { _id: `j${n}`, version: 1, due_at: clock.now() - 5_000 + n } })));
    const done: string[] = [];
    const finished = Promise.withResolvers<void>();
    const works = jobs.map((collection, n) =>
      startJobs({
        name: 'jobs',
        collection,
        clock: clocks[n] as FakeClock,
        batch: 20,
        logger: console,
        async handle(docs) {
          done.push(...docs.map(({ _id }) => _id));
          await collection.write(docs.map((doc) => ({ put: { ...doc, version: doc.version + 1, due_at: null } })));
          if (done.length >= 300) finished.resolve();
        },
      }),
    );
    await finished.promise;
    await Promise.all(works.map((work) => work.stop()));
    expect(new Set(done).size).toBe(300);
    expect(done).toHaveLength(300);
    expect(await jobs[0]?.count({ due_at: null })).toBe(300);
  });

  test('databases and namespaces are separate', async () => {
    await first().insert({ _id: 'a', version: 1 });
    expect(await mongos[0]?.database('svc_other').collection('rows').get('a')).toBeUndefined();
    const foreign = openMongo({ url, namespace: '', logger: console });
    expect(await foreign.database(`${namespace}_svc_test`).collection('rows').get('a')).toBeDefined();
    await foreign.close();
  });

  test('check reports an index that cannot be built, and nothing is written without it', async () => {
    const plain = mongos[0]?.database('svc_test').collection<Row>('later') as Collection<Row>;
    await plain.write([{ put: { _id: 'a', version: 1, key: 'k' } }, { put: { _id: 'b', version: 1, key: 'k' } }]);
    expect(await mongos[1]?.check()).toBe(true);
    const quiet = openMongo({ url, namespace, logger: { error: () => undefined, warn: () => undefined } });
    const unique = quiet.database('svc_test').collection<Row>('later', { indexes: [{ fields: ['key'], unique: true }] });
    expect(await quiet.check()).toMatch('svc_test.later');
    await expect(unique.insert({ _id: 'c', version: 1, key: 'k' })).rejects.toThrow('indexes');
    await plain.write([{ delete: 'b' }]);
    expect(await quiet.check()).toBe(true);
    expect(await unique.insert({ _id: 'c', version: 1, key: 'k' })).toBe(false);
    await quiet.close();
  });
});

test('errors do not quote the document', async () => {
  const { documents, close } = await open();
  const rows = documents.collection<Row>('rows', { indexes: [{ fields: ['key'], unique: true }] });
  await rows.write([{ put: { _id: 'a', version: 1, key: 'secret' } }, { put: { _id: 'c', version: 1 } }]);
  const error = (await rows.write([{ put: { _id: 'b', version: 1, key: 'secret' } }]).catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toMatch('unique');
  expect(`${JSON.stringify(error)} ${error.stack} ${JSON.stringify(error.cause)}`).not.toMatch('secret');
  const claimed = (await rows.claim({ _id: 'c' }, { set: { key: 'secret' } }).catch((thrown: unknown) => thrown)) as Error;
  expect(`${JSON.stringify(claimed)} ${claimed.stack} ${JSON.stringify(claimed.cause)}`).not.toMatch('secret');
  await close();
});
