import type { Collection } from '@svc/document-store';
import { millisOf } from '@svc/kernel';
import type { Target } from './attempt.ts';
import type { Authority } from './authority.ts';
import type { Context } from './context.ts';
import { failsSince } from './domain/fails-since.ts';
import { isCalling, type Known, type State } from './domain/state.ts';
import { flawedTotal, registrationSeconds } from './metrics.ts';
import { newRow, type Row } from './row.ts';

/** The record has to be mended, and so has the release. */
const FLAWED = 'the authority finds the record of a document wrong, as this software made it';

/** What operators look for when an alert counts such documents. */
const LOGGED = { needs_review: 'a document needs a review', rejected: 'a document was rejected' } as const;

const NOT_FAILING = { failing_since: null, failing_code: null };

/** Counts and logs how a submission has ended of which nothing is left to do, and returns what its row says from now on. `now`: milliseconds since 1970. */
export function atRest({ logger }: Pick<Context, 'logger'>, target: Target, state: State, row: Row, now: number): Partial<Row> {
  const { authority, env, account } = target;
  if (isFirstRegistration(state) && row.waits_since && row.waits_for === 'authority')
    registrationSeconds.observe({ authority: authority.id, env }, (now - row.waits_since) / 1000);
  const codes = state.status === 'registered' ? state.registration.warnings : state.status === 'rejected' ? [state.error.code] : [];
  const of = { document: row._id, account, env, authority: authority.id };
  if (authority.isDefect?.(codes) && !codes.includes(row.flawed ?? '')) {
    flawedTotal.inc({ authority: authority.id, env });
    logger.error({ ...of, status: state.status, codes }, FLAWED);
  }
  if (state.status === 'needs_review' || state.status === 'rejected') logger.info({ ...of, code: state.error.code }, LOGGED[state.status]);
  const since = row.waits_for === 'review' ? row.waits_since : now;
  const waits =
    state.status === 'needs_review' ? ({ waits_for: 'review', waits_since: since } as const) : { waits_for: null, waits_since: null };
  const flawed = flawIn(authority, state);
  // What waits for a person has its legal end all the same.
  const isOver = row.deadline_at && state.status !== 'needs_review';
  const ended = { ...(row.failing_since && NOT_FAILING), ...(isOver && { deadline_at: null }) };
  return { ...waits, ...((flawed !== null || row.flawed) && { flawed }), ...ended };
}

const isFirstRegistration = (state: State): boolean =>
  state.status === 'registered' && state.cancellationsSeen === 0 && !state.registration.amendments;

/** The code for which the registered record is to be amended; null: it is right. */
const flawIn = (authority: Authority, state: State): string | null =>
  state.status === 'registered' ? (state.registration.warnings.find((code) => authority.isDefect?.([code])) ?? null) : null;

/** What the row says after a call that is repeated: whether the authority fails at it each time. */
export async function failing({ submissions }: Pick<Context, 'submissions'>, { stream }: Target, row: Row): Promise<Partial<Row>> {
  const { state } = await submissions.load(stream);
  const fails = isCalling(state) ? failsSince(state) : null;
  if (fails) return { failing_since: millisOf(fails.since), failing_code: fails.code };
  return row.failing_since ? NOT_FAILING : {};
}

/**
 * Lists a submission for operators of which nothing is left to do, where no row does: a review that waits for a person, or a registered record that is to be
 * amended. So these lists follow from events: rows that a restore has lost are written again when the requests are read again.
 */
export async function relist(
  rows: Pick<Collection<Row>, 'insert'>,
  { authority, state, now }: { authority: Authority; state: Known; now: number },
  of: Parameters<typeof newRow>[0],
): Promise<void> {
  const flawed = flawIn(authority, state);
  if (state.status !== 'needs_review' && flawed === null) return;
  const waits =
    state.status === 'needs_review'
      ? ({ waits_for: 'review', waits_since: state.lastAttemptAt === null ? now : millisOf(state.lastAttemptAt) } as const)
      : { waits_for: null, waits_since: null, flawed };
  await rows.insert({ ...newRow(of, now), due_at: null, ...waits });
}
