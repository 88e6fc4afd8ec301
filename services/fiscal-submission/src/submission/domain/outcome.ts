import type { SubmissionEvent, OutcomeFacts } from './events.ts';
import type { AttemptKind, AuthorityError, Ending, Result } from './facts.ts';
import { hasFailedTooOften } from './failing.ts';
import { doubtOf, type Amending, type Calling, type Pending, type Unknown } from './state.ts';

export type AttemptEnded = SubmissionEvent & { type: 'AttemptEnded' };

export interface AttemptFacts extends Pick<Ending, 'n' | 'duration_ms' | 'http_status' | 'response_sha256' | 'next_attempt_at' | 'at'> {
  kind: AttemptKind;
  /** The authority has a query that can settle a doubt. */
  can_query: boolean;
  /** The result of the previous call where it is not stored, as `unstoredAbsence` returned it. */
  absence: AttemptEnded | null;
}

export type EndedCall = { result: Result } & AttemptFacts;

/** The event of what the call has decided; [] where nothing is decided yet. */
export function outcomeOf(ended: EndedCall, state: Calling): SubmissionEvent[] {
  const { result, n, at } = ended;
  const startedAt = state.open === n ? state.lastAttemptAt : null;
  const facts: OutcomeFacts = { ...doubtOf(state), attempts: n, last_attempt_at: startedAt ?? at, at };
  if (state.status === 'amending') return amendmentOf(ended, state, facts);
  switch (result.kind) {
    case 'unknown':
      return [];
    case 'absent':
      return isUndigested(state)
        ? outcomeOf({ ...ended, result: { kind: 'refused', error: UNDIGESTED } }, { ...state, doubt: 'none' })
        : [];
    case 'deferred':
      return result.ofRecord && hasFailedTooOften(result.error.code, state.failing)
        ? outcomeOf(asRefusal(ended, givenUp(result.error)), state)
        : [];
    case 'cancelled': {
      if (state.status !== 'cancelling') return [];
      const { cancelled_at } = result;
      return [{ type: 'CancellationRegistered', data: { cancelled_at, cancellation: state.cancellation.sequence, ...facts } }];
    }
    case 'refused': {
      if (state.status !== 'cancelling' || state.doubt !== 'none') return [];
      return [{ type: 'CancellationRefused', data: { error: result.error, cancellation: state.cancellation.sequence, ...facts } }];
    }
    case 'registered':
      if (ended.kind === 'deposit') return [];
      return state.status === 'cancelling'
        ? []
        : [{ type: 'SubmissionRegistered', data: { ...registered(result, ended.kind, state), ...facts } }];
    case 'rejected': {
      const type = rejection(ended, result.error.fixable, state);
      return type === null ? [] : [{ type, data: { error: result.error, ...facts } }];
    }
    case 'foreign':
      return state.status === 'cancelling' ? [] : [{ type: 'ReviewRequired', data: { error: result.error, ...facts } }];
    default:
      return result satisfies never;
  }
}

/** Of an amendment, which is registered or refused for certain: one that may have been registered is asked for first. */
function amendmentOf(ended: EndedCall, state: Amending, facts: OutcomeFacts): SubmissionEvent[] {
  const { result } = ended;
  const amendment = state.amendment.n;
  switch (result.kind) {
    case 'registered': {
      const { code, registered_at, warnings, warned } = result;
      return [{ type: 'AmendmentRegistered', data: { amendment, code, registered_at, warnings, ...(warned && { warned }), ...facts } }];
    }
    case 'deferred':
      if (!result.ofRecord || !hasFailedTooOften(result.error.code, state.failing)) return [];
      return [{ type: 'AmendmentRefused', data: { amendment, error: givenUp(result.error), ...facts } }];
    case 'rejected':
    case 'foreign': {
      if (ended.kind !== 'submit' && result.kind === 'rejected') return [];
      const { code, message } = result.error;
      return [{ type: 'AmendmentRefused', data: { amendment, error: { code, message }, ...facts } }];
    }
    case 'absent':
      if (state.absences + 1 < MOST_ABSENCES) return [];
      return [{ type: 'AmendmentRefused', data: { amendment, error: UNDIGESTED, ...facts } }];
    case 'unknown':
    case 'cancelled':
    case 'refused':
      return [];
    default:
      return result satisfies never;
  }
}

/** How often a record of a chain that the authority does not answer is sent, where nothing but the chain waits for it: the registration stands without it. */
const MOST_ABSENCES = 5;
const UNDIGESTED: Omit<AuthorityError, 'fixable'> = {
  code: 'no_answer',
  message: `The authority has not answered to this record ${MOST_ABSENCES} times, and does not have it. The registration stands. Ask again later.`,
};

const isUndigested = (state: Calling): state is Calling & { status: 'cancelling' } =>
  state.status === 'cancelling' && state.link !== null && state.absences + 1 >= MOST_ABSENCES;

const GIVEN_UP = 'It fails at this record each time, and judges others. The operator is alerted. Submit again later.';

const givenUp = ({ code, message }: Omit<AuthorityError, 'fixable'>) => ({ code, message: `${message.trim()} ${GIVEN_UP}` });

/** The record is taken for refused. */
const asRefusal = (ended: EndedCall, error: Omit<AuthorityError, 'fixable'>): EndedCall => ({
  ...ended,
  result: ended.kind === 'cancel' ? { kind: 'refused', error } : { kind: 'rejected', error: { ...error, fixable: 'setup' } },
});

/**
 * The event of a rejection, or null when the doubt remains. After a doubt an earlier call may have registered the document, and the
 * authority then rejects a later one too. So only a send that follows a reported absence, rejected for its data, is rejected for certain; in a
 * chain, for whatever reason, as the records behind it wait. Where the authority has no query a person decides. Otherwise a rejection of credentials, setup
 * or a query says nothing about the record.
 */
function rejection({ kind, can_query }: EndedCall, fixable: string, state: Calling): 'SubmissionRejected' | 'ReviewRequired' | null {
  if (state.status === 'cancelling' || state.status === 'amending') return null;
  if (state.status === 'pending') return 'SubmissionRejected';
  if (kind !== 'submit' && kind !== 'deposit') return null;
  if (state.absent && (fixable === 'data' || state.link !== null)) return 'SubmissionRejected';
  return fixable === 'data' && !can_query ? 'ReviewRequired' : null;
}

/** `late`: where the message itself said so. */
function registered({ kind: _, ...registration }: Extract<Result, { kind: 'registered' }>, asked: AttemptKind, state: Pending | Unknown) {
  const { issuer_code, verification_url } = state.prepared;
  const late = registration.late ?? wasLate(registration.registered_at, asked, state);
  return { ...registration, issuer_code, verification_url, late };
}

/**
 * Whether a record was registered late whose answer does not say so. Sendings of a chain have said it, each by this side's clock: a query finds what one of them has
 * brought. Where some were in time and others were not, or a restore has lost some, and of any other record, the authority's time decides.
 */
function wasLate(registered_at: string, asked: AttemptKind, state: Pending | Unknown): boolean {
  const { attempts, round, link } = state;
  const { late_after } = state.prepared;
  const isLost = state.status === 'unknown' && state.lost === true;
  const sendings = attempts.filter((one) => one.round === round && one.kind === 'submit').map(({ at }) => at > late_after);
  const [first] = sendings;
  if (asked === 'query' && link !== null && !isLost && first !== undefined && sendings.every((one) => one === first)) return first;
  return registered_at > late_after;
}
