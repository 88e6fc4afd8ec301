import { compareAndSet, type Filter } from '@svc/document-store';
import { type Actor, DomainError, type Env, invalid, iso, notFound, prefixed } from '@svc/kernel';
import type { Identity, NoteAction } from '@svc/service';
import type { Context } from '../submission/context.ts';
import type { Resolution } from '../submission/domain/facts.ts';
import { documentAudited } from '../submission/publish.ts';
import { resolveSubmission } from '../submission/resolve.ts';
import { CLAIM_MS, type Row } from '../submission/row.ts';
import type { Worker } from '../submission/worker.ts';

export const SUBMISSIONS = Symbol('submissions for operators');

/** What an operator's commands about submissions work with. */
export interface SubmissionContext {
  context: Context;
  worker: Pick<Worker, 'take'>;
  note: NoteAction;
}

const MOST = 100;

export interface WaitingFor {
  /** Undefined: any. */
  authority: string | undefined;
  env: Env;
  /** `failing`: for an authority that fails at their records each time. */
  waits: 'authority' | 'review' | 'failing';
}

/** The submissions that have waited longest for an authority or a review, 100 at most, and how many there are. */
export async function listWaiting({ rows, authorities }: Pick<Context, 'rows' | 'authorities'>, { authority, env, waits }: WaitingFor) {
  if (authority !== undefined) checkAuthority(authorities, authority);
  const asked = authority === undefined ? [...authorities[env].keys()] : [authority];
  const each = await Promise.all(asked.map((one) => longest(rows, { authority: one, env }, waits)));
  const data = each.flatMap(({ found }) => found).sort((a, b) => (a.waits_since ?? 0) - (b.waits_since ?? 0));
  return { data: data.slice(0, MOST).map(shown), total: each.reduce((sum, { total }) => sum + total, 0) };
}

/** Throws validation_error where no documents are sent to an authority of this id, live or test ones. */
export function checkAuthority({ live, test }: Context['authorities'], id: string): void {
  const known = [...new Set([...live.keys(), ...test.keys()])];
  if (!known.includes(id)) throw invalid({ authority: [`${id} is not served here: ${known.join(', ')}.`] });
}

/** The filter, and the field by which those come first that have waited longest. */
const waiting = (waits: WaitingFor['waits']): { of: Filter; by: 'failing_since' | 'waits_since' } =>
  waits === 'failing' ? { of: {}, by: 'failing_since' } : { of: { waits_for: waits }, by: 'waits_since' };

async function longest(rows: Context['rows'], tenant: { authority: string; env: Env }, waits: WaitingFor['waits']) {
  const { of, by } = waiting(waits);
  const filter = { ...tenant, ...of, [by]: { $gte: 0 } };
  const found = await Array.fromAsync(rows.find(filter, { sort: { [by]: 1 }, limit: MOST }));
  return { found, total: await rows.count(filter) };
}

const timeOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const shown = ({ _id, account, env, authority, waits_for, waits_since, due_at, failing_since, failing_code }: Row) => ({
  ...{ document_id: _id, account, livemode: env === 'live', authority, waits_for },
  ...{ waits_since: timeOrNull(waits_since), next_attempt_at: timeOrNull(due_at) },
  failing: failing_since ? { code: failing_code ?? null, since: iso(failing_since) } : null,
});

/**
 * Ends the doubt about a submission as its owner does by `POST …/resolve`, in the operator's name. Throws not_found, and invalid_state where it is neither
 * unknown nor to be reviewed.
 */
export async function resolveWaiting(
  { context, worker }: Pick<SubmissionContext, 'context' | 'worker'>,
  { id, resolution }: { id: string; resolution: Resolution },
  actor: Actor,
) {
  const row = await context.rows.get(id);
  if (!row) throw notFound('submission');
  const { account, env } = row;
  const uid = context.ids.next();
  const identity = { account, env, commandId: uid, requestId: prefixed('req', uid), actor } as Identity;
  const claimed = await resolveSubmission(context, identity, { id, resolution });
  if (claimed) worker.take([claimed]);
  return { document_id: id, account, status: resolution.outcome };
}

/** Takes a submission up now, whatever it waits for: what is left to do, its events say. Throws not_found, invalid_state while a process works on it. */
export async function wakeWaiting({ context: { rows, clock }, worker, note }: SubmissionContext, id: string) {
  const found = await rows.get(id);
  if (!found) throw notFound('submission');
  const { account, env, calling } = found;
  if (calling) throw underWay();
  await note({ account, env, verb: 'retried', ...documentAudited(id) });
  const now = clock.now();
  const { doc, changed } = await compareAndSet(rows, id, {
    absent: () => undefined,
    change: ({ calling }) => (calling ? undefined : { due_at: now + CLAIM_MS }),
  });
  if (!doc) throw notFound('submission');
  if (!changed) throw underWay();
  worker.take([doc]);
  return shown(doc);
}

const underWay = () => new DomainError('invalid_state', 'A call of the authority is under way. Wake it again in some seconds.');
