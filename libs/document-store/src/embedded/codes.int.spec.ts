import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { Engine } from '@svc/embedded';
import type { Collection, Doc, Filter, Query } from '../port.ts';
import { embeddedDocumentStore } from './document-store.ts';

interface Row extends Doc {
  account?: string | null;
  env?: string | null;
  key?: string;
  rank?: number;
}

const indexes = [{ fields: ['account', 'env', 'rank'] }, { fields: ['env', 'rank'] }, { fields: ['key'], unique: true }];

describe('accounts and environments as codes', () => {
  const folders = mkdtempSync(join(tmpdir(), 'codes-'));
  let folder: string;
  let engine: Engine;
  let rows: Collection<Row>;
  const open = (): void => {
    engine = Engine.open(folder, { durable: false });
    rows = embeddedDocumentStore(engine, 'svc_test', { hasEvents: true }).collection<Row>('rows', { indexes });
  };
  const reopen = (): void => {
    engine.close();
    open();
  };
  beforeEach(() => {
    folder = mkdtempSync(join(folders, 'data-'));
    open();
  });
  afterEach(() => engine.close());
  afterAll(() => rmSync(folders, { recursive: true }));

  const put = (row: Omit<Row, 'version'>, version = 1): Promise<unknown> => rows.write([{ put: { version, ...row } }]);
  const ids = async (filter: Filter, query: Query = {}): Promise<string[]> =>
    (await Array.fromAsync(rows.find(filter, query))).map(({ _id }) => _id);
  const accounts = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries((await Array.fromAsync(rows.find({}))).map(({ _id, account }) => [_id, account]));
  /** Ends the turn's transaction, so that its commit fails and nothing of it is stored. */
  const rollback = (): Promise<unknown> => engine.write((db) => db.sql('ROLLBACK').run());
  const names = () => engine.sql('SELECT name FROM names ORDER BY code').all();

  test('a row and its index entries hold small integers, one for each name of the whole database', async () => {
    const others = embeddedDocumentStore(engine, 'svc_other').collection<Row>('rows', { indexes });
    await put({ _id: 'a', account: 'acct_a', env: 'test', rank: 7 });
    await others.insert({ _id: 'a', version: 1, account: 'acct_a', env: 'live', rank: -0.5 });
    const stored = (database: string) => engine.sql(`SELECT n_account, n_env, typeof(f_rank) AS rank, body FROM "${database}.rows"`).all();
    expect(stored('svc_test')).toEqual([{ n_account: 2, n_env: 1, rank: 'integer', body: '{}' }]);
    expect(stored('svc_other')).toEqual([{ n_account: 2, n_env: 0, rank: 'real', body: '{}' }]);
    expect(await others.get('a')).toEqual({ _id: 'a', version: 1, account: 'acct_a', env: 'live', rank: -0.5 });
  });

  test('finds by one name, several, none and null; a name that no row has is found nowhere and gets no code', async () => {
    await put({ _id: 'a', account: 'acct_a', env: 'test', rank: 1 });
    await put({ _id: 'b', account: 'acct_b', env: 'test', rank: 2 });
    await put({ _id: 'c', account: null, env: 'live', rank: 3 });
    await put({ _id: 'd', rank: 4 });
    for (const [filter, expected] of [
      [{ account: 'acct_a' }, ['a']],
      [{ account: { $eq: 'acct_b' }, env: 'test' }, ['b']],
      [{ account: 'acct_b', env: 'live' }, []],
      [{ account: { $in: ['acct_a', 'acct_x', null] } }, ['a', 'c', 'd']],
      [{ account: { $in: ['acct_a', 'acct_b'] }, env: 'test', rank: { $gt: 1 } }, ['b']],
      [{ account: { $in: [] } }, []],
      [{ account: null }, ['c', 'd']],
      [{ env: 'test' }, ['a', 'b']],
      [{ account: 'acct_x' }, []],
      [{ account: '' }, []],
    ] satisfies [Filter, string[]][]) {
      expect([filter, (await ids(filter)).sort()]).toEqual([filter, expected]);
      expect(await rows.count(filter)).toBe(expected.length);
      expect((await rows.page(filter, { sort: { _id: 1 }, limit: 9 }, 9_999)).docs.map(({ _id }) => _id)).toEqual(expected);
    }
    expect(await rows.claim({ account: 'acct_x' }, { set: { rank: 0 } })).toEqual([]);
    expect(await rows.get('c')).toEqual({ _id: 'c', version: 1, account: null, env: 'live', rank: 3 });
    expect(names()).toEqual(['live', 'test', 'acct_a', 'acct_b'].map((name) => ({ name })));
  });

  test('a find that begins before the name exists finds what is there when it reads', async () => {
    const found = rows.find({ account: 'acct_a' });
    await put({ _id: 'a', account: 'acct_a' });
    expect(await Array.fromAsync(found)).toHaveLength(1);
    const [, claimed] = await Promise.all([
      put({ _id: 'b', account: 'acct_b' }),
      rows.claim({ account: 'acct_b' }, { set: { account: 'acct_c', rank: 1 } }),
    ]);
    expect(claimed).toEqual([{ _id: 'b', version: 2, account: 'acct_c', rank: 1 }]);
    expect([await ids({ account: 'acct_b' }), await ids({ account: 'acct_c' })]).toEqual([[], ['b']]);
  });

  test('streams of several accounts have each document once, in the order of the index', async () => {
    const docs = Array.from({ length: 1_300 }, (_, n) => ({ _id: `${n}`, version: 1, account: `acct_${n % 7}`, env: 'test', rank: n }));
    await rows.write(docs.map((insert) => ({ insert })));
    expect((await ids({ account: { $in: docs.map(({ account }) => account) } })).sort()).toEqual(docs.map(({ _id }) => _id).sort());
    expect(await ids({ account: 'acct_3', env: 'test' }, { sort: { account: 1, env: 1, rank: -1 } })).toEqual(
      docs.flatMap(({ _id, account }) => (account === 'acct_3' ? [_id] : [])).toReversed(),
    );
  });

  test('ranges and sorts of names are refused, and values that are no texts', async () => {
    const codes = 'the embedded store has codes in place of account';
    expect(() => rows.find({ account: { $gt: 'acct_a' } })).toThrow(TypeError);
    expect(() => rows.find({}, { sort: { account: 1 } })).toThrow(codes);
    expect(() => rows.find({ account: { $in: ['acct_a'] } }, { sort: { account: 1 } })).toThrow(codes);
    for (const refused of [
      () => rows.page({}, { sort: { env: 1, account: 1 }, limit: 1 }, 1),
      () => rows.count({ account: { $lte: 'acct_a' } }),
      () => rows.highest('account', {}),
      () => rows.claim({}, { set: {} }, { sort: { env: 1 } }),
      () => rows.insert({ _id: 'a', version: 1, account: 5 as never }),
      () => rows.count({ env: { $in: [true] } }),
    ])
      await expect((async () => refused())()).rejects.toThrow(TypeError);
  });

  test('names of any characters come back as they were', async () => {
    for (const [n, account] of ['', ' ', 'ë "𝄞"\n\u0000', '\ud800', '\ufffd', '0', 'x'.repeat(10_000)].entries()) {
      await put({ _id: `${n}`, account });
      expect([await rows.get(`${n}`), (await ids({ account })).includes(`${n}`)]).toEqual([{ _id: `${n}`, version: 1, account }, true]);
    }
    reopen();
    expect((await rows.get('3'))?.account).toBe('\ud800');
  });

  describe('a code that is rolled back', () => {
    test('with its turn: the next name may get it, the first gets another', async () => {
      const insert = rows.insert({ _id: 'a', version: 1, account: 'acct_a' });
      const claim = rows.claim({ account: 'acct_a' }, { set: { rank: 1 } });
      expect((await Promise.allSettled([insert, claim, rollback()])).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
      expect(names()).toHaveLength(2);
      await put({ _id: 'b', account: 'acct_b' });
      await put({ _id: 'a', account: 'acct_a' });
      expect(await accounts()).toEqual({ a: 'acct_a', b: 'acct_b' });
      reopen();
      expect(await accounts()).toEqual({ a: 'acct_a', b: 'acct_b' });
    });

    test('with a write that a unique index rejects, while the others of its turn are stored', async () => {
      await put({ _id: 'k', key: 'k' });
      const [rejected] = await Promise.allSettled([
        rows.write([{ put: { _id: 'a', version: 1, account: 'acct_a' } }, { put: { _id: 'c', version: 1, account: 'acct_c', key: 'k' } }]),
        put({ _id: 'b', account: 'acct_b' }),
        put({ _id: 'd', account: 'acct_a' }),
      ]);
      expect(rejected.status).toBe('rejected');
      const expected = { k: undefined, b: 'acct_b', d: 'acct_a' };
      expect(await accounts()).toEqual(expected);
      reopen();
      expect(await accounts()).toEqual(expected);
      expect(names().map(({ name }) => name)).toEqual(['live', 'test', 'acct_b', 'acct_a']);
    });

    test('with the events that the document is stored with: the repeated write has the right name', async () => {
      await rows.insertFor('command', { _id: 'a', version: 1, account: 'acct_a' });
      const append = () => engine.write(() => undefined, 'command');
      await Promise.allSettled([append(), rollback()]);
      await put({ _id: 'b', account: 'acct_b' });
      await append();
      expect(await accounts()).toEqual({ a: 'acct_a', b: 'acct_b' });
    });

    test('never comes to mean two names, whatever fails and in which order', async () => {
      const name = fc.constantFrom('acct_1', 'acct_2', 'acct_3', 'acct_4', 'acct_5', 'acct_6');
      const step = fc.oneof(
        fc.record({ kind: fc.constantFrom('put', 'claim', 'rejected'), id: fc.constantFrom('a', 'b', 'c', 'd'), account: name }),
        fc.record({ kind: fc.constant('find'), id: fc.constant(''), account: name }),
      );
      const turn = fc.record({
        steps: fc.array(step, { minLength: 1, maxLength: 5 }),
        end: fc.constantFrom('commit', 'rollback', 'reopen', 'crash'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { maxLength: 12 }), async (turns) => {
          engine.close();
          folder = mkdtempSync(join(folders, 'data-'));
          open();
          await put({ _id: 'k', key: 'k', account: 'acct_1' });
          let stored: Record<string, unknown> = { k: 'acct_1' };
          let version = 1;
          for (const { steps, end } of turns) {
            const next = { ...stored };
            const work = steps.map(({ kind, id, account }) => {
              version += 10;
              if (kind === 'find') return ids({ account });
              if (kind === 'claim') {
                if (id in next) next[id] = account;
                return rows.claim({ _id: id }, { set: { account } });
              }
              if (kind === 'rejected')
                return rows.write([{ put: { _id: id, version, account } }, { put: { _id: `${id}2`, version, account, key: 'k' } }]);
              next[id] = account;
              return put({ _id: id, account }, version);
            });
            await Promise.allSettled([...work, ...(end === 'rollback' ? [rollback()] : [])]);
            if (end !== 'rollback') stored = next;
            if (end === 'reopen') reopen();
            if (end === 'crash') {
              engine.abandon();
              open();
            }
            expect(await accounts()).toEqual(stored);
          }
        }),
        { numRuns: 60 },
      );
    });
  });

  test('after a kill every acknowledged document has its account', async () => {
    engine.close();
    const source = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      import { Engine } from '@svc/embedded';
      import { embeddedDocumentStore } from ${source('./document-store.ts')};
      import { writeSync } from 'node:fs';
      const engine = Engine.open(${JSON.stringify(folder)});
      const rows = embeddedDocumentStore(engine, 'svc_test').collection('rows', { indexes: ${JSON.stringify(indexes)} });
      for (let n = 1; ; n += 3)
        await Promise.all([n, n + 1, n + 2].map((m) =>
          rows.insert({ _id: String(m), version: 1, account: 'acct_' + (m % 50) }).then(() => writeSync(1, m + '\\n'))));`;
    const options = [
      '--disable-warning=ExperimentalWarning',
      '--experimental-transform-types',
      '--conditions=@svc/source',
      '--input-type=module',
    ];
    const child = spawn(process.execPath, [...options, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname });
    let answered = 0;
    for await (const _ of createInterface({ input: child.stdout })) if ((answered += 1) === 40) child.kill('SIGKILL');
    open();
    expect(answered).toBeGreaterThanOrEqual(40);
    const found = await accounts();
    expect(Object.keys(found).length).toBeGreaterThanOrEqual(answered);
    for (const [id, account] of Object.entries(found)) expect(account).toBe(`acct_${Number(id) % 50}`);
  });

  test('an index of a later release finds the documents of a table that had no column for its accounts', async () => {
    const plain = embeddedDocumentStore(engine, 'svc_test').collection<Row>('plain');
    const docs: Row[] = ['acct_a', 'acct_b', null].map((account, n) => ({ _id: `${n}`, version: 1, account, rank: n }));
    await plain.write(docs.map((insert) => ({ insert })));
    reopen();
    const indexed = embeddedDocumentStore(engine, 'svc_test').collection<Row>('plain', { indexes });
    expect(await Array.fromAsync(indexed.find({ account: { $in: ['acct_b', null] } }))).toEqual(docs.slice(1).toReversed());
    await indexed.claim({ account: 'acct_b' }, { set: { account: 'acct_c' } });
    expect(await Array.fromAsync(indexed.find({ account: 'acct_c' }))).toEqual([{ ...docs[1], version: 2, account: 'acct_c' }]);
  });
});
