import { OutcomeUnknown, DomainError } from '@svc/kernel';

/** How often and how long after an event that failed is given to its handler again. */
export const RETRY_DELAYS_MS = [200, 1_000, 5_000];
/** The same while a server is away that the handler needs. */
export const AWAY_DELAY_MS = 1_000;

/** Whether a server did not answer, or not in time. */
export const isAway = (error: unknown): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof DomainError && (error.code === 'service_unavailable' || error.code === 'outcome_unknown'));
