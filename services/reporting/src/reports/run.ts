import type { ReportQuery } from '@svc/contracts/report/query';
import { dayIn, iso, millisOf, type Day } from '@svc/kernel';
import type { RequestOf } from '@svc/service';
import type { ReportingContext } from '../postings/context.ts';
import { endEpoch } from '../postings/epoch.ts';
import { newestBy } from './newest.ts';
import { badQuery } from './bad-query.ts';
import { cite } from './citations.ts';
import { checkKnown } from './known-at.ts';
import { openDocuments } from './open.ts';
import { periodOf } from './period.ts';
import type { Question, Reading, Report } from './report.ts';
import { timeZoneOf } from './time-zone.ts';

type ReportRequest = Pick<RequestOf<'GET /reports/{report}'>, 'query' | 'identity'>;

interface AnyRequest {
  query: { [Name in keyof Omit<ReportQuery, 'page' | 'per_page' | 'format'>]?: ReportQuery[Name] | undefined };
  identity: ReportRequest['identity'];
}

/** A question with its defaults, and what the service has to answer it with. */
interface Asked {
  question: Question;
  time_zone: string;
  today: Day;
  /** Time of the newest change of a document, of what is known; null without documents. */
  position: string | null;
}

/**
 * What a request asks of a report. Days are those of the issuer's time zone. Throws `invalid_request` when the query
 * does not fit the report, and `service_unavailable` while not everything that it needs has been read.
 */
export async function questionOf(context: ReportingContext, { query, identity }: ReportRequest, report: Report): Promise<Asked> {
  checkGrouping(report, query);
  return askedOf(context, { query, identity });
}

/** The same of what is asked of no report by name. */
export async function askedOf(context: ReportingContext, { query, identity }: AnyRequest): Promise<Asked> {
  const { account, env } = identity;
  const { currency, kind = 'all', cite: cites = false, group_by: grouping, known_at = null } = query;
  const tenant = { account, env, known_at };
  await checkKnown(context, tenant);
  const [time_zone, changed] = await Promise.all([timeZoneOf(context, tenant), newestBy('recorded_at', context, tenant)]);
  // An answer with `known_at` is the same on every day.
  const today = dayIn(time_zone, known_at === null ? context.clock.now() : millisOf(known_at));
  const question = { ...tenant, ...periodOf(query, today), currency, kind, grouping, cites };
  return { question, time_zone, today, position: changed?.recorded_at ?? null };
}

/** Before every event. */
const NOTHING_KNOWN = '0000-01-01T00:00:00.000Z';

/**
 * The question of a file: of what is known now, or at `known_at`, whenever it is fetched. What comes later may have an earlier time, of another partition or
 * behind a gap that is filled, so it is cut by epochs too.
 */
export const fixed = async (
  { epochs }: Pick<ReportingContext, 'epochs'>,
  { question, position }: Pick<Asked, 'question' | 'position'>,
): Promise<Question> => ({
  ...question,
  known_at: question.known_at ?? position ?? NOTHING_KNOWN,
  ...(question.known_at === null && { stored_until: await endEpoch(epochs, question) }),
});

/** Runs a report: the rows of the page and the totals. Throws what `questionOf` throws. */
export async function runReport(context: ReportingContext, request: RequestOf<'GET /reports/{report}'>, report: Report) {
  const { question, time_zone, today, position } = await questionOf(context, request, report);
  const { from, to, as_of, known_at } = question;
  const { page, per_page: limit } = request.query;
  // Citations are read behind the rows: of the same postings.
  const fixedQuestion = question.cites ? await fixed(context, { question, position }) : question;
  const reading: Reading = { ...fixedQuestion, ledger: context, turn: request.turn, page: { skip: (page - 1) * limit, limit } };
  // Before the rows: where nothing is open, each of them has its outcome.
  const open = await openDocuments({ ...reading, known_at }, today);
  const { rows, total, totals, certificate } = await report.run(reading);
  if (question.cites) await cite(report, reading, rows);
  return {
    head: {
      object: 'report' as const,
      report: report.name,
      livemode: request.identity.livemode,
      ...{ from, to, as_of, known_at, time_zone, position },
      generated_at: known_at ?? iso(context.clock.now()),
      open,
      ...certificate,
    },
    rows,
    total,
    totals,
  };
}

function checkGrouping({ groupings }: Report, { group_by }: ReportQuery): void {
  if (group_by === undefined || groupings.includes(group_by)) return;
  throw badQuery(
    'group_by',
    groupings.length === 0 ? 'This report has no grouping: leave it out.' : `Send one of: ${groupings.join(', ')}.`,
  );
}
