import { isNumbered } from './domain/state.ts';
import type { OutcomeCommand } from './domain/outcome.ts';

/** So many documents in a row that got no answer: one alone may be what the authority fails at. */
const AWAY_AFTER = 3;

/** Of a document: the environment and the authority whose outcome it has. */
interface Sent {
  livemode: boolean;
  fiscal: { authority: string } | null;
}

/**
 * Which authorities do not answer, as far as this process has learnt it from outcomes of its documents. Where it knows nothing, as after a restart, the
 * authority counts as present.
 */
export interface AwayAuthorities {
  /** `document`: as the outcome has left it. What a test document asks of a simulator says nothing of it. */
  learn(outcome: OutcomeCommand, document: object | null): void;
  /** Its documents are put off before they are sent, without an outcome that says so. */
  isAway(document: Sent): boolean;
}

export function createAwayAuthorities(): AwayAuthorities {
  const unanswered = new Map<string, Set<string>>();
  const keyOf = (livemode: boolean, authority: string): string => `${livemode} ${authority}`;
  return {
    learn(outcome, document) {
      if (!isNumbered(document)) return;
      const { id, livemode, fiscal, content } = document;
      const key = keyOf(livemode, fiscal.authority);
      if (outcome.type === 'register' || outcome.type === 'cancel') unanswered.delete(key);
      const isFailing = outcome.type === 'delay' && outcome.delay.error !== null && outcome.delay.error.fixable === null;
      if (!isFailing || (!livemode && content.metadata['simulate'] !== undefined)) return;
      const ids = unanswered.get(key) ?? new Set();
      if (ids.size < AWAY_AFTER) unanswered.set(key, ids.add(id));
    },
    isAway: ({ livemode, fiscal }) => fiscal !== null && (unanswered.get(keyOf(livemode, fiscal.authority))?.size ?? 0) >= AWAY_AFTER,
  };
}
