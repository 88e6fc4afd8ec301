import { samplePosting } from '../../testing/sample-postings.ts';
import { postingId, type Posting } from '../../postings/posting.ts';
import { reportOf } from '../testing/report-of.ts';
import { submissions } from './submissions.ts';

/** A document's history: its number, then these changes, a line each. */
function history(n: number, changes: Partial<Posting>[], over: Partial<Posting> = {}): Posting[] {
  const { figures: _, counted_on: _1, ...number } = samplePosting(n, { change: 'numbered', outcome: 'pending' });
  return [{}, ...changes].map((change, line) => ({ ...number, ...over, ...change, _id: postingId(number.document, line + 1) }));
}
const registered = (seconds: number, late = false): Partial<Posting> => ({
  change: 'registered',
  outcome: 'registered',
  answered: { seconds, late },
});
const failed = (seconds: number): Partial<Posting> => ({ change: 'failed', outcome: 'failed', answered: { seconds, late: false } });
const none = { submitted: 0, registered: 0, rejected: 0, unknown: 0, late: 0, seconds_p50: null, seconds_p95: null };

const all = [
  ...history(1, [registered(1)]),
  ...history(2, [failed(3), { change: 'pending' }, registered(2, true)]),
  ...history(3, [failed(9), { change: 'voided', outcome: 'voided' }]),
  ...history(4, [registered(4), { change: 'voided', outcome: 'voided' }]),
  ...history(5, [{ change: 'unknown', outcome: 'unknown' }]),
  ...history(6, [], { issued_on: '2026-01-11', day: '2026-01-11', authority: 'es-verifactu' }),
];

test('counts each document once, by what the authority made of it in the end', async () => {
  const { rows, totals } = await reportOf(submissions, all);
  expect(rows).toEqual([
    { key: '2026-01-10', submitted: 5, registered: 3, rejected: 1, unknown: 1, late: 1, seconds_p50: 2, seconds_p95: 9 },
    { ...none, key: '2026-01-11', submitted: 1 },
  ]);
  expect(totals).toEqual([{ submitted: 6, registered: 3, rejected: 1, unknown: 1, late: 1, seconds_p50: 2, seconds_p95: 9 }]);
});

test('by authority', async () => {
  const { rows } = await reportOf(submissions, all, { grouping: 'authority' });
  expect(rows.map(({ key, submitted }) => [key, submitted])).toEqual([
    ['es-verifactu', 1],
    ['sandbox', 5],
  ]);
});

test('without documents there are neither rows nor totals', async () => {
  expect(await reportOf(submissions, [])).toMatchObject({ rows: [], totals: [] });
});
