import type { ReportQuery } from '@svc/contracts/report/query';
import { dayIn, iso } from '@svc/kernel';
import type { RequestOf } from '@svc/service';
import type { ReportingContext } from '../facts/context.ts';
import { countedIn } from '../facts/counted.ts';
import { newestBy } from '../facts/newest.ts';
import { badQuery } from './bad-query.ts';
import { exactNumbers } from './row-shape.ts';
import { periodOf } from './period.ts';
import type { Report } from './report.ts';
import { createTally } from './tally.ts';

/**
 * Runs a report: all rows and the totals. `position` is the time of the newest change of a document, null without documents. Days are those
 * of the time zone on the last issued document, else UTC. Throws `invalid_request` when the query does not fit the report.
 */
export async function runReport(context: ReportingContext, { query, identity, turn }: RequestOf<'GET /reports/{report}'>, report: Report) {
  checkQuery(report, query);
  const { facts, clock } = context;
  const { account, env, livemode } = identity;
  const { currency, kind = 'all', cite: cites = false } = query;
  const [latest, changed] = await Promise.all([newestBy('issued_on', facts, account, env), newestBy('changed_at', facts, account, env)]);
  const time_zone = latest?.time_zone ?? 'UTC';
  const { from, to, as_of } = periodOf(query, dayIn(time_zone, clock.now()));
  const tally = createTally({ cites });
  const last = as_of < to ? as_of : to;
  const selection = { account, env, from, to: last, currency, kind };
  for await (const counted of countedIn(facts, selection, turn)) tally.add(counted, report.parts(counted, query.group_by));
  const rows = tally.rows();
  return {
    head: {
      object: 'report' as const,
      report: report.name,
      livemode,
      from,
      to,
      as_of,
      time_zone,
      position: changed?.changed_at ?? null,
      generated_at: iso(clock.now()),
    },
    rows,
    totals: tally.totals().map(({ amounts, ...rest }) => ({ ...rest, ...exactNumbers(amounts) })),
  };
}

function checkQuery({ groupings }: Report, { group_by, format }: ReportQuery): void {
  if (format === 'csv') throw badQuery('format', 'Files are not served yet. Leave it out, or send json.');
  if (group_by === undefined || groupings.includes(group_by)) return;
  throw badQuery(
    'group_by',
    groupings.length === 0 ? 'This report has no grouping: leave it out.' : `Send one of: ${groupings.join(', ')}.`,
  );
}
