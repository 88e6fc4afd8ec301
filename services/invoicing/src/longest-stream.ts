import { Refusal } from '@svc/kernel';

/** Whoever decides reads a whole stream, so streams stay short. */
export const MOST_EVENTS = 1_000;
/** A PATCH leaves so many places for what must still be possible: submitting and voiding. */
export const KEPT_FOR_OUTCOMES = 100;

/**
 * Refuses what a caller wants to change once so many events are stored; what the authority says is taken all the same.
 * @param version of the stream
 * @param instead what the caller can do
 */
export function checkRoom(version: number, instead: string): void {
  if (version < MOST_EVENTS) return;
  throw new Refusal(
    'invalid_state',
    `This was changed as often as it may be (the most there may be is ${MOST_EVENTS} events) and stays as it is. ${instead}`,
  );
}
