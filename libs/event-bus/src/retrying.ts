import { OutcomeUnknown, DomainError } from '@svc/kernel';

/** The delays after which a failed event is handed to its handler again. */
export const RETRY_DELAYS_MS = [200, 1_000, 5_000];
/** The same while a server that the handler needs does not answer. */
export const AWAY_DELAY_MS = 1_000;

/** Whether a server did not answer, or not in time. */
export const isAway = (error: unknown): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof DomainError && (error.code === 'service_unavailable' || error.code === 'outcome_unknown'));
