import { compareAndSet } from '@svc/document-store';
import { type Actor, DomainError, type Env, type Ids, iso, notFound, prefixed } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { Context } from '../submission/context.ts';
import type { Resolution } from '../submission/domain/facts.ts';
import { resolveSubmission } from '../submission/resolve.ts';
import { CLAIM_MS, type Row } from '../submission/row.ts';
import type { Worker } from '../submission/worker.ts';

export const WAITING = Symbol('submissions that wait');

/** What an operator's commands about submissions work with. */
export interface WaitingContext extends Pick<Context, 'submissions' | 'rows' | 'clock' | 'authorities'> {
  ids: Pick<Ids, 'next'>;
  worker: Pick<Worker, 'take'>;
}

const MOST = 100;

export interface WaitingFor {
  /** Undefined: any. */
  authority: string | undefined;
  env: Env;
  waitsFor: 'authority' | 'review';
}

/** The submissions that have waited longest for an authority or a review, 100 at most, and how many there are. */
export async function listWaiting(context: Pick<WaitingContext, 'rows' | 'authorities'>, { authority, env, waitsFor }: WaitingFor) {
  const asked = authority === undefined ? [...context.authorities[env].keys()] : [authority];
  const each = await Promise.all(asked.map((one) => longest(context.rows, { authority: one, env, waits_for: waitsFor })));
  const data = each.flatMap(({ found }) => found).sort((a, b) => (a.waits_since ?? 0) - (b.waits_since ?? 0));
  return { data: data.slice(0, MOST).map(shown), total: each.reduce((sum, { total }) => sum + total, 0) };
}

async function longest(rows: WaitingContext['rows'], of: { authority: string; env: Env; waits_for: 'authority' | 'review' }) {
  const found = await Array.fromAsync(rows.find({ ...of, waits_since: { $gte: 0 } }, { sort: { waits_since: 1 }, limit: MOST }));
  return { found, total: await rows.count({ ...of }) };
}

const timeOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const shown = ({ _id, account, env, authority, waits_for, waits_since, due_at }: Row) => ({
  ...{ document_id: _id, account, livemode: env === 'live', authority, waits_for },
  ...{ waits_since: timeOrNull(waits_since), next_attempt_at: timeOrNull(due_at) },
});

/**
 * Ends the doubt about a submission as its owner does by `POST …/resolve`, in the operator's name. Throws not_found, and invalid_state where it is neither
 * unknown nor to be reviewed.
 */
export async function resolveWaiting(context: WaitingContext, { id, resolution }: { id: string; resolution: Resolution }, actor: Actor) {
  const row = await context.rows.get(id);
  if (!row) throw notFound('submission');
  const { account, env } = row;
  const uid = context.ids.next();
  const identity = { account, env, commandId: uid, requestId: prefixed('req', uid), actor } as Identity;
  const claimed = await resolveSubmission(context, identity, { id, resolution });
  if (claimed) context.worker.take([claimed]);
  return { document_id: id, account, status: resolution.outcome };
}

/** Takes a submission up now, whatever it waits for: what is left to do, its events say. Throws not_found, invalid_state while a process works on it. */
export async function wakeWaiting({ rows, clock, worker }: WaitingContext, id: string) {
  const now = clock.now();
  const { doc, changed } = await compareAndSet(rows, id, {
    absent: () => undefined,
    change: ({ calling }) => (calling ? undefined : { due_at: now + CLAIM_MS }),
  });
  if (!doc) throw notFound('submission');
  if (!changed) throw new DomainError('invalid_state', 'A call of the authority is under way. Wake it again in some seconds.');
  worker.take([doc]);
  return shown(doc);
}
