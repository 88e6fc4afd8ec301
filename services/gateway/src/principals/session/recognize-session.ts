import { type Clock, DomainError, iso } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';
import type { KeysContext } from '../../keys/context.ts';
import { isActive } from '../../members/member.ts';
import { ownerOf } from '../../members/user.ts';
import { endOf, isOver, type SessionTerms } from '../../sessions/session.ts';
import type { SessionStore } from '../../sessions/store.ts';
import { tokenHash } from '../../members/tokens.ts';
import { type Changes, createLookUps } from '../look-ups.ts';
import type { SessionView } from '../../sessions/session-view.ts';

/** Finds the session of a cookie's value. Results are cached for 5 s, as those of keys are. */
export interface SessionRecognizer {
  /** Synchronous when cached. null: there is none. */
  recognize(token: string): SessionView | null | Promise<SessionView | null>;
  /** The same, as it is stored now. Rejects with service_unavailable where that cannot be read. */
  lookAgain(token: string): Promise<SessionView | null>;
  /** Records that its user has used it: it ends when it was not used for `terms.idle`. */
  noteUse(view: SessionView): void;
}

export interface RecognizeSessionOptions {
  store: KeysContext['store'];
  people: SessionStore;
  terms: SessionTerms;
  clock: Clock;
  logger: Logger;
  changes: Changes;
}

const FORM = /^[\w-]{43}$/;
const LONGEST_UNNOTED_MS = 60_000;
const FAILURE = 'sessions cannot be looked up';
const UNAVAILABLE = 'Your session cannot be checked at the moment. Nothing was done; try again.';

export function createSessionRecognizer({ store, people, terms, clock, logger, changes }: RecognizeSessionOptions): SessionRecognizer {
  async function lookUp(id: string): Promise<SessionView | null> {
    const session = await people.sessions.get(id);
    if (!session || isOver(session, terms, clock.now())) return null;
    const [user, member, account] = await Promise.all([
      people.users.get(session.user),
      people.members.get(session.member),
      store.accounts.get(session.account),
    ]);
    if (!user || !member || !account) return null;
    const goesOn = session.owner === ownerOf(user) && session.member_epoch === member.epoch && isActive(member);
    return goesOn ? { session, user, member, account, usedAt: session.last_used_at } : null;
  }
  const lookUps = createLookUps<SessionView | null>({
    ...{
      changes,
      idsOf: (id: string, view: SessionView | null) => [id, ...(view ? [view.user._id, view.member._id, view.account._id] : [])],
    },
    ...{ lookUp, clock, logger, failure: FAILURE },
    unavailable: UNAVAILABLE,
  });

  /** Often enough that no replica takes a session that is used for idle. */
  const noteUse = (view: SessionView): void => {
    const [now, { session }] = [clock.now(), view];
    if (now - view.usedAt < Math.min(LONGEST_UNNOTED_MS, terms.idle / 4)) return;
    view.usedAt = now;
    const used = { ...session, last_used_at: now };
    const due = session.unpublished === undefined ? { due_at: endOf(used, terms) } : {};
    people.sessions.claim({ _id: session._id, ended_at: null }, { set: { last_used_at: now, ...due } }).catch((error: unknown) => {
      logger.warn({ err: error, at: iso(now) }, 'the use of a session was not recorded; the next one is');
    });
  };

  const ifGood = (view: SessionView | null): SessionView | null =>
    view === null || isOver({ ...view.session, last_used_at: view.usedAt }, terms, clock.now()) ? null : view;

  return {
    recognize(token) {
      if (!FORM.test(token)) return null;
      const found = lookUps.find(tokenHash(token));
      return found instanceof Promise ? found.then(ifGood) : ifGood(found);
    },
    async lookAgain(token) {
      if (!FORM.test(token)) return null;
      const found = await lookUp(tokenHash(token)).catch((error: unknown) => {
        logFailure(logger, error, FAILURE);
        throw new DomainError('service_unavailable', UNAVAILABLE, undefined, 1);
      });
      return ifGood(found);
    },
    noteUse,
  };
}
