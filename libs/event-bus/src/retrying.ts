import { OutcomeUnknown, DomainError } from '@svc/kernel';

/** The delays after which a failed event is handed to its handler again. */
export const RETRY_DELAYS_MS = [200, 1_000, 5_000];
/** The same while a server that the handler needs does not answer. */
export const AWAY_DELAY_MS = 1_000;

/** Errors of stores that do not answer or that refuse this process's user have this `statusCode`. */
const UNAVAILABLE = 503;

/** Whether a server did not answer, not in time, or refused this process's user: the event is not the cause. */
export const isAway = (error: unknown): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof DomainError && (error.code === 'service_unavailable' || error.code === 'outcome_unknown')) ||
  (error instanceof Error && 'statusCode' in error && error.statusCode === UNAVAILABLE);
