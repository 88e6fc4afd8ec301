import type { Posting } from '../../postings/posting.ts';
import { historiesIn, isSelected } from '../reading.ts';
import type { Report } from '../report.ts';
import { percentile } from './percentile.ts';

interface Counts {
  submitted: number;
  registered: number;
  rejected: number;
  unknown: number;
  late: number;
  seconds: number[];
}

const FIGURES = ['submitted', 'registered', 'rejected', 'unknown', 'late', 'seconds_p50', 'seconds_p95'] as const;

/** What the authority made of documents: by their issue date, or by authority. What is void since stays registered or rejected. */
export const submissions: Report = {
  name: 'submissions',
  description: 'What the tax authority made of documents, and how long it took, by issue date or authority.',
  groupings: ['day', 'authority'],
  columns: () => ({ of: ['key'], sums: FIGURES, cited: [] }),
  async run(reading) {
    const rows = new Map<string, Counts>();
    const total = none();
    for await (const history of historiesIn(reading)) {
      const [first] = history;
      if (!isSelected(first, reading)) continue;
      const key = reading.grouping === 'authority' ? first.authority : first.issued_on;
      const row = rows.get(key) ?? none();
      rows.set(key, row);
      for (const counts of [row, total]) count(counts, history);
    }
    return {
      rows: [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, counts]) => ({ id: key, fields: () => ({ key, ...shown(counts) }), references: [] })),
      totals: rows.size === 0 ? [] : [shown(total)],
    };
  },
};

const none = (): Counts => ({ submitted: 0, registered: 0, rejected: 0, unknown: 0, late: 0, seconds: [] });

function count(counts: Counts, history: readonly Posting[]): void {
  const answers = history.filter(({ change }) => change !== 'voided' && change !== 'paid' && change !== 'reversed');
  const outcome = answers.at(-1)?.outcome;
  counts.submitted += 1;
  if (outcome === 'registered') counts.registered += 1;
  if (outcome === 'failed') counts.rejected += 1;
  if (outcome === 'unknown') counts.unknown += 1;
  const answered = answers.findLast((posting) => posting.answered)?.answered;
  if (!answered) return;
  if (outcome === 'registered' && answered.late) counts.late += 1;
  counts.seconds.push(answered.seconds);
}

function shown({ seconds, ...counts }: Counts) {
  const sorted = seconds.toSorted((a, b) => a - b);
  return { ...counts, seconds_p50: percentile(sorted, 0.5), seconds_p95: percentile(sorted, 0.95) };
}
