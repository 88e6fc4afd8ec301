import type { RecoverWebhook } from '@svc/contracts/webhook/requests';
import type { RecoveryResource } from '@svc/contracts/webhook/resource';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import { compareAndSet } from '@svc/document-store';
import { DomainError, invalid, millisOf, type Turn, type Uid } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { WebhooksContext } from '../delivery/context.ts';
import { checkReceives, listensTo } from '../endpoint/domain/endpoint.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { endpointOf } from '../endpoint/find.ts';
import { begun, type Wanted } from '../endpoint/domain/recovery.ts';
import { type Candidate, pageBehind } from './missing.ts';
import { type Recovery, recoveryResource } from '../endpoint/recovery.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 30;
/** A request counts for so long; then the recovery goes on by itself. */
const COUNTED_WITHIN_MS = 2_000;

const ofOther = (message: string): DomainError => new DomainError('invalid_state', message);

/**
 * Begins a recovery of events that the endpoint listens to and of which no delivery to it has succeeded, counts them only (`dry_run`), or ends the one that runs (`stop`).
 * A repeat of the command returns the same recovery. Throws `validation_error`, and `invalid_state` where the endpoint does not receive, another recovery runs, or none does.
 */
export async function recover(
  context: WebhooksContext,
  identity: Identity,
  id: string,
  { body, turn }: { body: RecoverWebhook; turn: Turn },
): Promise<RecoveryResource> {
  const endpoint = await endpointOf(context, identity, id);
  if (body.stop === true) return stop(context, id, turn);
  const wanted = wantedOf(endpoint, body, context);
  checkReceives(endpoint);
  const before = await context.recoveries.get(id);
  if (before?.command === identity.commandId) return recoveryResource(before);
  if (body.dry_run !== true && before && isOpen(before)) throw isRunning();
  const counted = await count(context, endpoint, wanted, turn);
  if (body.dry_run === true) return recoveryResource({ ...counted, created: 0, status: 'done' });

  const recovery: Omit<Recovery, '_id' | 'version'> = {
    ...counted,
    ...{ account: endpoint.account, env: endpoint.env, command: identity.commandId, event_types: body.event_types ?? null },
    ...{ in_hand: [], due_at: context.clock.now(), ending_since: undefined },
  };
  const { doc } = await compareAndSet(context.recoveries, id, {
    absent: () => ({ _id: id, version: 1, ...recovery }),
    change(now) {
      if (now.command === identity.commandId) return undefined;
      if (isOpen(now)) throw isRunning();
      return recovery;
    },
  });
  return recoveryResource(doc);
}

/** It runs, or what it made is still being cancelled. */
const isOpen = ({ status, due_at }: Recovery): boolean => status === 'running' || due_at !== null;
const isRunning = (): DomainError => ofOther('A recovery of this endpoint is running: wait for its end, or end it by {"stop": true}.');

/** How many deliveries it has made so far. */
export const madeOf = (deliveries: WebhooksContext['deliveries'], command: Uid, turn: Turn): Promise<number> =>
  deliveries.count({ recovery: command }, turn);

/** What it made is counted again when all of it has ended: a step may be making some. */
async function stop({ recoveries, deliveries, clock }: WebhooksContext, id: string, turn: Turn): Promise<RecoveryResource> {
  const none = (): never => {
    throw ofOther('No recovery of this endpoint is running.');
  };
  const running = await recoveries.get(id);
  const created = running ? await madeOf(deliveries, running.command, turn) : 0;
  const { doc } = await compareAndSet(recoveries, id, {
    absent: none,
    change({ status }): Partial<Recovery> | undefined {
      if (status === 'done') return none();
      return status === 'stopped' ? undefined : { status: 'stopped', created, due_at: clock.now() };
    },
  });
  return recoveryResource(doc);
}

function wantedOf(
  endpoint: Endpoint,
  { since: from, until: to, event_types: asked }: RecoverWebhook,
  { clock, keepDays }: Pick<WebhooksContext, 'clock' | 'keepDays'>,
): Wanted {
  const now = clock.now();
  const days = Math.min(MOST_DAYS, keepDays);
  const since = millisOf(from ?? '');
  const until = typeof to === 'string' ? millisOf(to) : now;
  const problems: Record<string, string[]> = {};
  if (since > now) problems['since'] = ['It is in the future.'];
  if (since < now - days * DAY_MS) problems['since'] = [`It is more than ${days} days ago: send a later time.`];
  if (until < since) problems['until'] = ['It is before `since`.'];
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const types = webhookEventTypes.filter((type) => listensTo(endpoint, type) && (asked?.includes(type) ?? true));
  return { since, until: Math.min(until, now), types };
}

async function count(context: WebhooksContext, endpoint: Endpoint, wanted: Wanted, turn: Turn) {
  const { clock } = context;
  let state = begun(wanted);
  for (const until = clock.now() + COUNTED_WITHIN_MS; state.phase === 'counting' && clock.now() < until; await turn(0))
    state = { ...state, ...(await countPage(context, endpoint._id, { ...state, account: endpoint.account, env: endpoint.env }, turn)) };
  return state;
}

type Counting = Pick<Recovery, 'account' | 'env' | 'at' | 'after' | 'until' | 'types' | 'since' | 'matched' | 'created'>;

/** Counts one more page of events. */
export async function countPage(context: WebhooksContext, endpoint: string, state: Counting, turn: Turn): Promise<Partial<Recovery>> {
  const { candidates, next } = await pageBehind(context, state, endpoint, state, turn);
  const missing = candidates.filter(({ status }) => status !== 'succeeded');
  const counts = {
    matched: state.matched + missing.length,
    created: state.created + missing.filter(({ status }) => status !== 'pending').length,
  };
  return next === undefined ? { ...counts, phase: 'sending', at: state.since, after: '' } : { ...counts, ...next };
}

/** Whether the recovery makes a delivery of it: there is none, or it was cancelled, or it has failed before the recovery. */
export const isMissing = ({ status, recovery }: Candidate, command: string): boolean =>
  status === undefined || status === 'cancelled' || (status === 'failed' && recovery !== command);
