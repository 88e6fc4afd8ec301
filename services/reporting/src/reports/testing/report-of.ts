import type { Grouping } from '@svc/contracts/report/query';
import type { Counted } from '../../facts/counted.ts';
import type { Report } from '../report.ts';
import { createTally } from '../tally.ts';

const texts = (amounts: object): object => JSON.parse(JSON.stringify(amounts)) as object;

/** The rows and totals of a report over counted documents, decimals as texts. */
export function reportOf(report: Report, counted: Counted[], grouping?: Grouping) {
  const tally = createTally({ cites: false });
  for (const one of counted) tally.add(one, report.parts(one, grouping));
  return {
    rows: tally.rows().map(({ key, currency, documents, amounts }) => ({ ...texts(key), currency, documents, ...texts(amounts) })),
    totals: tally.totals().map(({ amounts, ...rest }) => ({ ...rest, ...texts(amounts) })),
  };
}
