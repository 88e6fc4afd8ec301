import { DomainError } from '@svc/kernel';

/** Whoever decides reads a document's whole stream, so streams stay short. */
export const MOST_EVENTS = 1_000;
/** Of the events' data: the largest document, some fifteen times over. A PATCH alone is refused for it; what else can happen is small. */
const MOST_BYTES = 4 * 1_048_576;
/** Of the events that are still in a document's state: those before are replaced. */
export const MOST_STATE_BYTES = 1_048_576;
/** A PATCH leaves so many places for what must still be possible: submitting and voiding. */
export const KEPT_FOR_OUTCOMES = 100;

/**
 * Refuses what a caller wants to change once so many events are stored; what the authority says is taken all the same.
 * @param version of the stream
 * @param instead what the caller can do
 */
export function checkLength(version: number, instead: string): void {
  if (version >= MOST_EVENTS) throw full(`${MOST_EVENTS} events`, instead);
}

/** Refuses a change of what is written once all changes so far are so large that reading them would hold up others. */
export function checkBytes(bytes: number, instead: string): void {
  if (bytes >= MOST_BYTES) throw full(`${MOST_BYTES / 1_048_576} MiB of changes`, instead);
}

const full = (most: string, instead: string): DomainError =>
  new DomainError(
    'invalid_state',
    `This was changed as often as it may be (the most there may be is ${most}) and stays as it is. ${instead}`,
  );
