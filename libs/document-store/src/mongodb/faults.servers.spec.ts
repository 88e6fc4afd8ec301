import { Denied, OutcomeUnknown } from '@svc/kernel';
import type { Collection, Doc } from '../port.ts';
import { DocumentStoreUnavailable } from '../unavailable.ts';
import { faultyConnection, type FaultyConnection } from '../testing/faulty-connection.ts';
import { type OpenMongo, openMongo } from './open.ts';
import { takeNamespaces } from '../testing/namespace.ts';

interface Row extends Doc {
  count: number;
  place?: number;
}

const indexes = [{ fields: ['count'] }, { fields: ['place'], unique: true }];
const isUnknown = (error: unknown): boolean => error instanceof OutcomeUnknown;

const { url, next, drop } = takeNamespaces();
afterAll(drop);
let ways: FaultyConnection[];
let mongos: OpenMongo[];
let rows: Collection<Row>[];
let sound: OpenMongo;
beforeEach(async () => {
  const namespace = next();
  ways = await Promise.all([1, 2, 3].map(() => faultyConnection(url)));
  const open = (way: string): OpenMongo => openMongo({ url: way, namespace, logger: console });
  mongos = ways.map(({ url }) => open(url));
  sound = open(url);
  rows = [...mongos, sound].map((mongo) => mongo.database('svc_test').collection<Row>('rows', { indexes }));
  await Promise.all([...mongos, sound].map((mongo) => mongo.check()));
});
afterEach(async () => {
  await Promise.all([...mongos, sound].map((mongo) => mongo.close()));
  await Promise.all(ways.map((way) => way.close()));
});

const tally = async <T>(work: Promise<T>[]): Promise<{ answers: T[]; unknown: number }> => {
  const ended = await Promise.allSettled(work);
  const answers = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const errors = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  expect(errors.filter((error) => !isUnknown(error))).toEqual([]);
  return { answers, unknown: errors.length };
};

/** Runs 300 of them, at most as many at once as there are connections, so that none spends its time on waiting for one. */
const tallyInGroups = async <T>(work: (n: number) => Promise<T>): Promise<{ answers: T[]; unknown: number }> => {
  const tallies = [];
  for (let from = 0; from < 300; from += 30) tallies.push(await tally(Array.from({ length: 30 }, (_, n) => work(from + n))));
  return { answers: tallies.flatMap(({ answers }) => answers), unknown: tallies.reduce((sum, { unknown }) => sum + unknown, 0) };
};

describe('while connections break after they have passed on requests', () => {
  test('an insert that was done returns true, however often it was tried', async () => {
    const [through] = rows as [Collection<Row>];
    ways[0]?.breakBehind(12);
    const { answers, unknown } = await tallyInGroups((n) => through.insert({ _id: `r${n}`, version: 1, count: n, place: n }));
    expect(new Set(answers)).toEqual(new Set([true]));
    expect(await rows[3]?.count({})).toBeGreaterThanOrEqual(answers.length);
    expect(unknown).toBeLessThan(answers.length);
    const again = await tallyInGroups((n) => through.insert({ _id: `s${n}`, version: 1, count: n, place: n }));
    expect(again.answers.filter(Boolean).length).toBeLessThanOrEqual(unknown);
  });

  test('of concurrent equal inserts one wins', async () => {
    for (const way of ways) way.breakBehind(7);
    for (let n = 0; n < 15; n += 1) {
      const { answers, unknown } = await tally(rows.map((through) => through.insert({ _id: `r${n}`, version: 1, count: 0 })));
      expect(answers.filter(Boolean).length + unknown).toBeGreaterThanOrEqual(1);
      expect(answers.filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  });

  test('counters by compare-and-set are correct', async () => {
    for (const way of ways) way.breakBehind(9);
    await rows[3]?.insert({ _id: 'counter', version: 1, count: 0 });
    let [counted, unknown] = [0, 0];
    const count = async (through: Collection<Row>): Promise<void> => {
      for (let n = 0; n < 40; n += 1) {
        const row = await through.get('counter').catch(() => undefined);
        if (row === undefined) continue;
        const claimed = through.claim({ _id: 'counter', version: row.version }, { set: { count: row.count + 1 } });
        await claimed.then(
          (won) => (counted += won.length),
          (error: unknown) => (unknown += isUnknown(error) ? 1 : NaN),
        );
      }
    };
    await Promise.all(rows.flatMap((through) => [count(through), count(through)]));
    const row = (await rows[3]?.get('counter')) as Row;
    expect(row.count).toBe(row.version - 1);
    expect(counted).toBeGreaterThan(40);
    expect(row.count).toBeGreaterThanOrEqual(counted);
    expect(row.count).toBeLessThanOrEqual(counted + unknown);
  });

  test('each document is claimed by one process', async () => {
    await rows[3]?.write(Array.from({ length: 400 }, (_, n) => ({ put: { _id: `r${n}`, version: 1, count: 0 } })));
    for (const way of ways) way.breakBehind(5);
    const taken: string[] = [];
    const take = async (through: Collection<Row>, by: number): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        const claimed = await through.claim({ count: 0 }, { set: { count: by } }, { limit: 10 }).catch(() => []);
        taken.push(...claimed.map(({ _id }) => _id));
      }
    };
    await Promise.all(rows.map((through, n) => take(through, n + 1)));
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length).toBeGreaterThan(200);
  });

  test('a write is done completely, in order and once', async () => {
    ways[0]?.breakBehind(4);
    const batch = (from: number): Row[] => Array.from({ length: 50 }, (_, n) => ({ _id: `r${from + n}`, version: 1, count: n }));
    const write = async (from: number): Promise<void> => {
      const puts = batch(from).flatMap((row) => [{ insert: row }, { put: { ...row, version: 2 } }]);
      for (let isDone = false; !isDone;)
        isDone = (await tally([(rows[0] as Collection<Row>).write([...puts, { delete: 'r0' }])])).unknown === 0;
    };
    for (let n = 0; n < 20; n += 1) await write(n * 50);
    expect(await rows[3]?.count({ version: 2 })).toBe(999);
  });
});

describe('while an index takes longer than an operation may', () => {
  test('operations end in their own time, check says why, and the index is completed', async () => {
    ways[0]?.answerLate('createIndexes', 14_000);
    const slow = openMongo({ url: ways[0]?.url ?? '', namespace: next(), logger: { error: () => undefined, warn: () => undefined } });
    const their = slow.database('svc_test').collection<Row>('grown', { indexes });
    const start = performance.now();
    await expect(their.get('a')).rejects.toThrow(DocumentStoreUnavailable);
    expect(performance.now() - start).toBeLessThan(8_000);
    const checks = [await slow.check()];
    for (let tries = 0; tries < 4 && checks.at(-1) !== true; tries += 1) checks.push(await slow.check());
    expect(checks[0]).toMatch('svc_test.grown');
    expect(checks.at(-1)).toBe(true);
    expect(await their.insert({ _id: 'a', version: 1, count: 1, place: 1 })).toBe(true);
    await slow.close();
  });
});

describe('while the server hangs', () => {
  test('every operation ends, reads report it, and all continue afterwards', async () => {
    const [through] = rows as [Collection<Row>];
    await through.insert({ _id: 'a', version: 1, count: 1 });
    ways[0]?.stall(true);
    const [read, counted, inserted, claimed, written, health] = await Promise.allSettled([
      through.get('a'),
      through.count({}),
      through.insert({ _id: 'b', version: 1, count: 1 }),
      through.claim({ _id: 'a', version: 1 }, { set: { count: 2 } }),
      through.write([{ put: { _id: 'c', version: 1, count: 1 } }]),
      mongos[0]?.check(),
    ]);
    for (const end of [read, counted]) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(DocumentStoreUnavailable) });
    for (const end of [inserted, claimed, written]) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) });
    expect(health).toMatchObject({ status: 'fulfilled', value: expect.any(String) });
    ways[0]?.stall(false);
    expect(await mongos[0]?.check()).toBe(true);
    expect(await through.get('a')).toBeDefined();
  });

  test('from the start, everything is declared once it continues', async () => {
    const namespace = next();
    ways[0]?.stall(true);
    const late = openMongo({ url: ways[0]?.url ?? '', namespace, logger: { error: () => undefined, warn: () => undefined } });
    const their = late.database('svc_test').collection<Row>('rows', { indexes });
    await expect(their.insert({ _id: 'a', version: 1, count: 1, place: 1 })).rejects.toThrow(DocumentStoreUnavailable);
    ways[0]?.stall(false);
    expect(await late.check()).toBe(true);
    await their.insert({ _id: 'a', version: 1, count: 1, place: 1 });
    expect(await their.insert({ _id: 'b', version: 1, count: 1, place: 1 })).toBe(false);
    await late.close();
  });
});

test('a right withdrawn by the server makes it unavailable for what needs the right, until it is granted again', async () => {
  const [through] = rows as [Collection<Row>];
  await through.insert({ _id: 'r1', version: 1, count: 1 });
  const denied = expect.objectContaining({ name: 'Denied', statusCode: 503 }) as unknown;
  for (const code of [13, 18]) {
    ways[0]?.refuse('insert', code);
    await expect(through.insert({ _id: 'r2', version: 1, count: 2 })).rejects.toEqual(denied);
    ways[0]?.refuse('update', code);
    await expect(through.write([{ put: { _id: 'r1', version: 2, count: 9 } }])).rejects.toEqual(denied);
    ways[0]?.refuse('find', code);
    await expect(through.get('r1')).rejects.toBeInstanceOf(Denied);
    await expect(Array.fromAsync(through.find({}))).rejects.toBeInstanceOf(Denied);
  }
  ways[0]?.refuse(undefined);
  expect(await Array.fromAsync(through.find({}))).toEqual([{ _id: 'r1', version: 1, count: 1 }]);
  expect(await through.insert({ _id: 'r2', version: 1, count: 2 })).toBe(true);
});
