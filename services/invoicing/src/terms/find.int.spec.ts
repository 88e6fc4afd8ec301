import { Engine } from '@svc/embedded';
import { embeddedDocumentStore } from '@svc/document-store';
import { reporting, type Visited } from '@svc/document-store/testing/visited';
import { dataFolder } from '../testing/open-system.ts';
import { findTerms } from './find.ts';
import { sequenceTerm, termsIndexes, type TermsRow } from './terms.ts';

/** More rows than a statement of a request may visit, of which many have each word. */
const [MANY, MOST] = [21_000, 5_001];
const tenant = { account: 'acct_1', env: 'test' } as const;

const folder = dataFolder();
const engine = Engine.open(folder.path, { durable: false });
const seen: Visited[] = [];
const rows = embeddedDocumentStore(
  reporting(engine, (visited) => seen.push(visited)),
  'svc_test',
).collection<TermsRow>('invoice_terms_v2', { indexes: termsIndexes('invoice') });
beforeAll(() =>
  rows.write(
    Array.from({ length: MANY }, (_, n) => {
      const words = { word1: 'acme', word2: n % 2 === 0 ? 'branch' : 'office', word3: `town${n}` };
      const own = { number: `inv-2026-${n}`, seq: sequenceTerm(n), tax_id: `X${n % 3}` };
      return { insert: { _id: `inv_${String(n).padStart(6, '0')}`, version: 2, ...tenant, ...words, ...own } as TermsRow };
    }),
  ),
);
beforeEach(() => void (seen.length = 0));
afterAll(() => {
  engine.close();
  folder.remove();
});

const turns = { count: 0, turn: async (): Promise<void> => void (turns.count += 1) };
const find = (q: string) => findTerms(rows, 'invoice', { ...tenant, q, turn: turns.turn });

test.each([
  ['town2099', ['inv_002099', ...Array.from({ length: 10 }, (_, n) => `inv_02099${n}`)]],
  ['acme off town2099', [1, 3, 5, 7, 9].map((n) => `inv_02099${n}`).toSpliced(0, 0, 'inv_002099')],
  ['inv-2026-20999', ['inv_020999']],
  ['020999', ['inv_020999']],
  ['0999', ['inv_000999', 'inv_010999', 'inv_020999']],
  ['7123', ['inv_007123', 'inv_017123']],
  ['23', ['inv_000023']],
  ['nobody', []],
])('%s', async (q, ids) => {
  expect((await find(q)).toSorted()).toEqual(ids);
  expect(seen.filter(({ entries, sorts }) => entries > MOST || sorts())).toEqual([]);
});

test('as many as may match are found in pieces, and more are refused', async () => {
  turns.count = 0;
  const few = await findTerms(rows, 'invoice', { ...tenant, q: 'inv-2026-1', turn: turns.turn }, 12_000);
  expect(few).toHaveLength(11_111);
  expect(turns.count).toBeGreaterThan(1);
  for (const q of ['acme', 'inv', 'a b', 'acme branch'])
    await expect(find(q)).rejects.toMatchObject({ code: 'invalid_request', details: { q: [expect.stringContaining('10,000')] } });
  expect(seen.filter(({ entries, sorts }) => entries > MOST || sorts())).toEqual([]);
});

test('words that many have are found together, by the index where as many may match', async () => {
  const having = Array.from({ length: MANY }, (_, n) => n).filter((n) => n % 2 === 0 && String(n).startsWith('2'));
  const ids = having.map((n) => `inv_${String(n).padStart(6, '0')}`);
  const asked = { ...tenant, q: 'branch town2', turn: turns.turn };
  expect((await findTerms(rows, 'invoice', asked)).toSorted()).toEqual(ids);
  const readsRows = () => seen.some(({ sql }) => sql.includes('json_each'));
  expect(readsRows()).toBe(true);
  seen.length = 0;
  expect((await findTerms(rows, 'invoice', asked, 12_000)).toSorted()).toEqual(ids);
  expect(readsRows()).toBe(false);
});

test('numbers that end with the text are found where they are few, else the one of that sequence alone', async () => {
  expect(await findTerms(rows, 'invoice', { ...tenant, q: '0999' }, 10_000, 1)).toEqual(['inv_000999']);
  expect(await findTerms(rows, 'invoice', { ...tenant, q: '0999' }, 10_000, 2)).toHaveLength(3);
});

test('a total is looked for in the list, as a number', async () => {
  const totals = embeddedDocumentStore(
    reporting(engine, (visited) => seen.push(visited)),
    'svc_test',
  ).collection('invoices', { indexes: [{ fields: ['account', 'env', 'total', 'ordinal'] }] });
  const row = (n: number) => ({
    _id: `inv_${n}`,
    version: 1,
    ...tenant,
    total: n % 3000 === 0 ? 40 : 12.5,
    ordinal: n,
    body: 'x'.repeat(500),
  });
  await totals.write(Array.from({ length: 7_000 }, (_, n) => ({ insert: row(n) })));
  const list = { rows: totals, asOf: async () => undefined };
  const asked = { ...tenant, list, turn: turns.turn };
  expect(await findTerms(rows, 'invoice', { ...asked, q: '40.00' })).toEqual(['inv_0', 'inv_3000', 'inv_6000']);
  expect(await findTerms(rows, 'invoice', { ...asked, q: '12.5' })).toHaveLength(6_997);
  await expect(findTerms(rows, 'invoice', { ...asked, q: '12.5' }, 6_996)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await findTerms(rows, 'invoice', { ...asked, env: 'live', q: '12.5' })).toEqual([]);
  expect(seen.filter(({ entries, sorts }) => entries > MOST || sorts())).toEqual([]);
});

test('numbers that have digits anywhere are found, more than a few are refused', async () => {
  const having = Array.from({ length: MANY }, (_, n) => n).filter((n) => String(n).includes('777'));
  expect((await find('*777*')).toSorted()).toEqual(having.map((n) => `inv_${String(n).padStart(6, '0')}`));
  expect(await find('*0777*')).toEqual(['inv_010777', 'inv_020777']);
  expect(seen.filter(({ entries, sorts }) => entries > MOST || sorts())).toEqual([]);
  await expect(findTerms(rows, 'invoice', { ...tenant, q: '*777*' }, 10_000, 20)).rejects.toMatchObject({ code: 'invalid_request' });
  const padded = { ...tenant, _id: 'inv_padded', version: 2, number: 'rcp-000042', seq: sequenceTerm(42) } as TermsRow;
  await rows.write([{ insert: padded }]);
  expect(await find('*0042*')).toContain('inv_padded');
  await rows.write([{ delete: 'inv_padded' }]);
  for (const q of ['*77*', '*', '*777', '*7x7*']) expect(await find(q)).toEqual([]);
});

test('another account and environment finds nothing', async () => {
  expect(await findTerms(rows, 'invoice', { account: 'acct_2', env: 'test', q: 'acme' })).toEqual([]);
  expect(await findTerms(rows, 'invoice', { account: 'acct_1', env: 'live', q: 'acme' })).toEqual([]);
});
