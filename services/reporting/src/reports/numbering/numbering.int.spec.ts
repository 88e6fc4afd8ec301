import { createHash } from 'node:crypto';
import { ACCOUNT, invoiceId, receiptId } from '../../testing/sample-documents.ts';
import { samplePosting } from '../../testing/sample-postings.ts';
import { postingId, type Outcome, type Posting } from '../../postings/posting.ts';
import type { RaisedRow } from '../../postings/raised-numbers.ts';
import { reportOf } from '../testing/report-of.ts';
import { numbering } from './numbering.ts';

interface Given {
  key?: string;
  seq: number;
  first_seq?: number;
  day?: string;
  kind?: 'invoice' | 'receipt';
}

/** A document's number, and what came of it on which day. */
function number(
  n: number,
  { key = 'INV.2026', seq, first_seq, day = '2026-01-10', kind = 'invoice' }: Given,
  ...outcomes: [Outcome, string][]
): Posting[] {
  const document = kind === 'invoice' ? invoiceId(n) : receiptId(n);
  const {
    figures: _,
    counted_on: _1,
    ...base
  } = samplePosting(n, { document, kind, issued_on: day, change: 'numbered', outcome: 'pending' });
  const taken = {
    ...{ series: key.slice(0, 3), series_key: key, seq, issued_at: base.recorded_at, numbered_at: base.recorded_at },
    ...(first_seq !== undefined && { first_seq }),
  };
  return [
    { ...base, ...taken, _id: postingId(document, 1) },
    ...outcomes.map(([outcome, on], line) => ({ ...base, change: outcome, outcome, day: on, _id: postingId(document, line + 2) })),
  ];
}
const january = { from: '2026-01-01', to: '2026-01-31' };
const run = (postings: readonly Posting[], asked: object = {}, raised: readonly RaisedRow[] = []) =>
  reportOf(numbering, postings, { ...january, ...asked }, raised);

test('rows are in the order of counts and numbers, with what became of each document', async () => {
  const { rows, certificate } = await run([
    ...number(2, { seq: 10 }, ['registered', '2026-01-10']),
    ...number(1, { seq: 9 }, ['failed', '2026-01-10']),
    ...number(3, { key: 'COR.2026', seq: 1 }, ['unknown', '2026-01-10']),
    ...number(4, { seq: 11 }, ['registered', '2026-01-10'], ['voided', '2026-02-02']),
  ]);
  expect(rows.map(({ series_key, seq, fate }) => [series_key, seq, fate])).toEqual([
    ['COR.2026', 1, 'pending'],
    ['INV.2026', 9, 'failed'],
    ['INV.2026', 10, 'registered'],
    ['INV.2026', 11, 'voided'],
  ]);
  expect(certificate).toMatchObject({ complete: true, gaps: [] });
});

test('the hash is of the lines alone: as of the day before a void it is what it was', async () => {
  const before = number(1, { seq: 1 }, ['registered', '2026-01-10']);
  const after = number(1, { seq: 1 }, ['registered', '2026-01-10'], ['voided', '2026-02-02']);
  const hash = async (postings: readonly Posting[], asked = {}) => (await run(postings, asked)).certificate?.sha256;
  const line = `INV,INV.2026,INV-2026-1,1,${invoiceId(1)},2026-01-10T09:00:01.000Z,registered\n`;
  expect(await hash(before)).toBe(createHash('sha256').update(line).digest('hex'));
  expect(await hash(after)).not.toBe(await hash(before));
  expect(await hash(after, { as_of: '2026-02-01' })).toBe(await hash(before));
  expect(await hash([...before, ...number(2, { seq: 2, day: '2026-02-01' })])).toBe(await hash(before));
});

test('a number that no document has is a gap, also before the first one of the period', async () => {
  const gap = (series_key: string, from_seq: number, to_seq: number) => ({ series_key, from_seq, to_seq, reason: 'missing' });
  const { certificate } = await run([
    ...number(1, { seq: 100 }),
    ...number(2, { seq: 103 }),
    ...number(3, { key: 'RCP.2026', seq: 7, day: '2025-12-31' }),
    ...number(4, { key: 'RCP.2026', seq: 9 }),
  ]);
  expect(certificate).toMatchObject({ complete: false, gaps: [gap('INV.2026', 101, 102), gap('RCP.2026', 8, 8)] });
});

describe('a number that is missing', () => {
  const gap = (from_seq: number, to_seq = from_seq) => ({ series_key: 'INV.2026', from_seq, to_seq, reason: 'missing' });
  const february = { from: '2026-02-01', to: '2026-02-28' };
  const march = { from: '2026-03-01', to: '2026-03-31' };

  test('between two periods is a gap of both, as of any day', async () => {
    const postings = [...number(1, { seq: 99 }), ...number(2, { seq: 101, day: '2026-02-01' })];
    for (const asked of [{}, { as_of: '2026-01-31' }, february])
      expect((await run(postings, asked)).certificate).toMatchObject({ complete: false, gaps: [gap(100)] });
    expect((await run(postings.slice(0, 1))).certificate).toMatchObject({ complete: true });
  });

  test('is a gap of a period without a number of its count, where there are numbers before and behind it', async () => {
    const postings = [...number(1, { seq: 99 }), ...number(2, { seq: 101, day: '2026-03-01' }), ...number(3, { key: 'RCP', seq: 1 })];
    expect((await run(postings, february)).certificate).toMatchObject({ complete: false, gaps: [gap(100)] });
    expect((await run(postings, { from: '2025-12-01', to: '2025-12-31' })).certificate).toMatchObject({ complete: true });
    expect((await run(postings, { from: '2026-04-01', to: '2026-04-30' })).certificate).toMatchObject({ complete: true });
  });

  test('is one before the first that is known of its count, back to where that begins', async () => {
    const known = (first_seq?: number) => number(1, { seq: 7, ...(first_seq !== undefined && { first_seq }) });
    expect((await run(known(1))).certificate).toMatchObject({ complete: false, gaps: [gap(1, 6)] });
    expect((await run(known(7))).certificate).toMatchObject({ complete: true });
    expect((await run(known())).certificate).toMatchObject({ complete: true });
    expect((await run([...known(1), ...number(2, { seq: 8, day: '2026-03-05' })], march)).certificate).toMatchObject({ complete: true });
  });

  test('before the first one is a gap of each period that it may be of: since its year, or ever where the count has none', async () => {
    const [december, key] = [{ from: '2025-12-01', to: '2025-12-31' }, 'INV'];
    const postings = [
      ...number(1, { seq: 3, first_seq: 1, day: '2026-02-03' }),
      ...number(2, { key, seq: 8, first_seq: 8, day: '2026-02-03' }),
    ];
    for (const asked of [{}, february]) expect((await run(postings, asked)).certificate).toMatchObject({ gaps: [gap(1, 2)] });
    expect((await run(postings, december)).certificate).toMatchObject({ complete: true });
    expect((await run(postings, march)).certificate).toMatchObject({ complete: true });
    const plain = number(3, { key, seq: 7, first_seq: 5, day: '2026-02-03' });
    expect((await run(plain, december)).certificate).toMatchObject({ gaps: [{ ...gap(5, 6), series_key: key }] });
    expect((await run(number(4, { seq: 3, day: '2026-02-03' }))).certificate).toMatchObject({ complete: true });
  });

  test('is none where the number behind it was not known yet', async () => {
    const [later, ...more] = number(2, { seq: 101, day: '2026-02-01' });
    const postings = [...number(1, { seq: 99 }), { ...(later as Posting), recorded_at: '2026-02-01T09:00:00.000Z' }, ...more];
    expect((await run(postings, { known_at: '2026-01-31T09:00:00.000Z' })).certificate).toMatchObject({ complete: true });
  });
});

test('kinds that share a count leave no gaps in each other’s rows', async () => {
  const postings = [...number(1, { seq: 1 }), ...number(2, { seq: 2, kind: 'receipt' }), ...number(3, { seq: 3 })];
  const { rows, certificate } = await run(postings, { kind: 'invoices' });
  expect(rows.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(certificate).toMatchObject({ complete: true });
});

describe('numbers that a raise after a restore skips', () => {
  const raise = (
    after_seq: number | null,
    to_seq: number,
    issue_date = '2026-01-20',
    recorded_at = '2026-01-20T08:00:00.000Z',
  ): RaisedRow => ({
    ...{ _id: `evt_${to_seq}`, version: 1, account: ACCOUNT, env: 'test', recorded_at, stored: 0 },
    ...{ series_key: 'INV.2026', after_seq, to_seq, issue_date },
  });
  const gap = (from_seq: number, to_seq: number, reason = 'restored') => ({ series_key: 'INV.2026', from_seq, to_seq, reason });
  const [one, two, six] = [1, 2, 6].map((seq) => number(seq, { seq, day: seq === 6 ? '2026-02-03' : '2026-01-10' }));
  const gapsOf = async (given: (Posting[] | undefined)[], raised: RaisedRow[], asked: object = {}) =>
    (
      await run(
        given.flatMap((postings) => postings ?? []),
        asked,
        raised,
      )
    ).certificate;

  test('are gaps before the next number, and of the period that the raise is dated in', async () => {
    const february = { from: '2026-02-01', to: '2026-02-28' };
    const expected = { complete: false, gaps: [gap(3, 5)] };
    expect(await gapsOf([one, two, six], [raise(2, 5)], february)).toMatchObject(expected);
    expect(await gapsOf([one, two, six], [raise(2, 5)], { to: '2026-02-28' })).toMatchObject(expected);
    expect(await gapsOf([one, two], [raise(2, 5)])).toMatchObject(expected);
    expect(await gapsOf([one, two, six], [raise(2, 5)], { from: '2025-12-01', to: '2025-12-31' })).toMatchObject({ complete: true });
  });

  test('are gaps of each period that the documents may be of: since the number before, up to the day of the raise', async () => {
    const expected = { complete: false, gaps: [gap(3, 5)] };
    expect(await gapsOf([one, two], [raise(2, 5)], { as_of: '2026-01-19' })).toMatchObject(expected);
    expect(await gapsOf([one, two, six], [raise(2, 5, '2026-02-01')])).toMatchObject(expected);
    const february = { from: '2026-02-01', to: '2026-02-28' };
    expect(await gapsOf([one, two], [raise(2, 5, '2026-03-01')], february)).toMatchObject(expected);
  });

  test('are one gap where the series was raised twice, and two around a number that is known after all', async () => {
    const raises = [raise(2, 3), raise(3, 5)];
    expect(await gapsOf([one, two], raises)).toMatchObject({ gaps: [gap(3, 5)] });
    const late = number(4, { seq: 4 }, ['registered', '2026-01-10']);
    expect(await gapsOf([one, two, late, six], raises)).toMatchObject({ gaps: [gap(3, 3), gap(5, 5)] });
    expect(await gapsOf([one, two, number(5, { seq: 5 })], [raise(4, 5)])).toMatchObject({ gaps: [gap(3, 4, 'missing')] });
  });

  test('of a series without numbers are gaps, back to where its count begins', async () => {
    expect(await gapsOf([], [raise(0, 40)])).toMatchObject({ complete: false, gaps: [gap(1, 40)] });
    expect(await gapsOf([], [raise(0, 40), raise(40, 45)])).toMatchObject({ gaps: [gap(1, 45)] });
    expect(await gapsOf([number(1, { seq: 41, first_seq: 1 })], [raise(0, 40)])).toMatchObject({ complete: false, gaps: [gap(1, 40)] });
    expect(await gapsOf([number(1, { seq: 511, first_seq: 500 })], [raise(499, 510)])).toMatchObject({ gaps: [gap(500, 510)] });
  });

  // until 0.3
  test('of a raise by release 0.1.0, which does not say where it began, are all that are not known', async () => {
    expect(await gapsOf([], [raise(null, 5)])).toMatchObject({ complete: false, gaps: [gap(1, 5)] });
    expect(await gapsOf([number(6, { seq: 6, first_seq: 1 })], [raise(null, 5)])).toMatchObject({ complete: false, gaps: [gap(1, 5)] });
  });

  test('are missing where the raise was not known yet', async () => {
    const known_at = '2026-01-20T07:00:00.000Z';
    expect(await gapsOf([one, two, number(6, { seq: 6 })], [raise(2, 5)], { known_at })).toMatchObject({ gaps: [gap(3, 5, 'missing')] });
  });
});
