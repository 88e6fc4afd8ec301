import type { ChainLink } from '../chain/domain/link.ts';
import type { Ours } from './authority.ts';
import type { AttemptKind, SentRecord, Started } from './domain/facts.ts';
import { nextStep } from './domain/next-step.ts';
import type { Needs } from './domain/needs.ts';
import { isCalling, MAX_STORED_ATTEMPTS, type Calling, type State } from './domain/state.ts';

/** A record of a chain that is whole: a registration, its amendment, or a cancellation. */
export interface Sendable {
  state: Calling;
  link: ChainLink;
  record: SentRecord;
  kind: Extract<AttemptKind, 'submit' | 'cancel'>;
}

/** The record that a submission sends next; undefined where its next step is another. `now`: ISO 8601. */
export function sendableOf(state: State, needs: Needs, now: string): Sendable | undefined {
  if (!isCalling(state)) return undefined;
  const { link, prepared: record } = state;
  const next = nextStep(state, needs, now);
  if (!link || !record || next?.do !== 'call' || state.attemptCount >= MAX_STORED_ATTEMPTS) return undefined;
  return next.kind === 'submit' || next.kind === 'cancel' ? { state, link, record, kind: next.kind } : undefined;
}

/**
 * A record in doubt since the same sending as this one, of which the authority has nothing: the sending goes again as it was, and only those are asked for that it
 * says were there. Undefined: it is none, or the time that it states is ahead. Times are ISO 8601; `since`: what was sent before was perhaps sent again since.
 */
export function resendable(state: State, { state: first }: Sendable, { now, since }: { now: string; since: string }): Sendable | undefined {
  if (state.status !== 'unknown' || state.open !== null || state.attemptCount >= MAX_STORED_ATTEMPTS) return undefined;
  const { link, prepared: record } = state;
  const sending = lastSending(first);
  if (!link || link.at > now || first.status !== 'unknown' || !sending || sending.at < since) return undefined;
  return lastSending(state)?.message_id === sending.message_id ? { state, link, record, kind: 'submit' } : undefined;
}

const lastSending = ({ attempts }: Calling): Started | undefined => attempts.findLast(({ kind }) => kind === 'submit');

export const oursOf = ({ state, record, kind }: Sendable): Ours => ({
  ...{ record_sha256: record.sha256, registered: kind === 'cancel', reference: record.reference },
  ...(state.status === 'amending' && { amends: state.registration.reference }),
});
