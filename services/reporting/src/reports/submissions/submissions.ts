import type { Posting } from '../../postings/posting.ts';
import { ONE } from '@svc/kernel';
import { citing } from '../counting.ts';
import { rowId, type Part } from '../part.ts';
import { historiesIn, isSelected } from '../reading.ts';
import { CITED, pageOf, type Reading, type Report } from '../report.ts';
import { issuedPieces } from '../summed/issued.ts';
import { addHistory, noAnswers, submissionsIn, submissionsOn, type Answers } from '../summed/submission-sums.ts';
import { percentiles } from './percentile.ts';

const FIGURES = ['submitted', 'registered', 'rejected', 'unknown', 'late', 'seconds_p50', 'seconds_p95'] as const;

/** What the authority made of documents: by their issue date, or by authority. What is void since stays registered or rejected. */
export const submissions: Report = {
  name: 'submissions',
  description: 'What the tax authority made of documents, and how long it took, by issue date or authority.',
  groupings: ['day', 'authority'],
  columns: () => ({ of: ['key'], sums: FIGURES, cited: CITED }),
  async *cited(reading, range) {
    for await (const [first] of historiesIn(reading, range))
      if (isSelected(first, reading)) yield { day: first.issued_on, parts: [partOf(first, reading)] };
  },
  async run(reading) {
    const rows = new Map<string, Answers>();
    const total = noAnswers();
    for await (const { issued_on, authority, add } of answersIn(reading)) {
      const key = keyOf({ issued_on, authority }, reading);
      const row = rows.get(key) ?? noAnswers();
      rows.set(key, row);
      for (const answers of [row, total]) add(answers);
    }
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      total: rows.size,
      rows: pageOf(sorted, reading).map(([key, answers]) => ({
        id: rowId(rowOf(key)),
        fields: () => ({ key, ...shown(answers) }),
        references: [],
      })),
      totals: rows.size === 0 ? [] : [shown(total)],
    };
  },
};

const keyOf = ({ issued_on, authority }: Pick<Posting, 'issued_on' | 'authority'>, { grouping }: Reading): string =>
  grouping === 'authority' ? authority : issued_on;
/** Documents of all currencies are counted together. */
const rowOf = (key: string): Pick<Part, 'key' | 'currency'> => ({ key: { key }, currency: '' });

/** One document of those that were submitted. */
const partOf = (posting: Posting, reading: Reading): Part => ({
  ...rowOf(keyOf(posting, reading)),
  amounts: { submitted: ONE },
  cites: citing(posting, ONE),
});

type Added = Pick<Posting, 'issued_on' | 'authority'> & { add(to: Answers): void };

/** Of single documents, and sums of others. */
async function* answersIn(reading: Reading): AsyncGenerator<Added> {
  for await (const piece of issuedPieces(reading, (block) => submissionsOn(reading.as_of, block))) {
    if ('texts' in piece) for (const text of piece.texts.values()) yield* submissionsIn(text).filter((sum) => isSelected(sum, reading));
    else
      for await (const history of historiesIn(reading, piece))
        if (isSelected(history[0], reading)) yield { ...history[0], add: (to) => addHistory(to, history) };
  }
}

function shown({ seconds, ...counts }: Answers) {
  const [p50, p95] = percentiles(seconds, [0.5, 0.95]);
  return { ...counts, seconds_p50: p50 ?? null, seconds_p95: p95 ?? null };
}
