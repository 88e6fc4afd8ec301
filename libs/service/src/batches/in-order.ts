import { DomainError } from '@svc/kernel';
import { statusOf } from '../errors/status.ts';
import { toDomainError } from '../errors/to-domain-error.ts';

/**
 * Carries out the items of a batch one after the other, in the order of the calls, for work whose order counts. A refused item (below 500) does not
 * stop those after it. One that failed for the time being, or whose outcome is not known, does: they are service_unavailable and nothing of them is
 * done, so that a repeat of the batch carries out all in their order.
 */
export function inOrder<Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const result = before.then(() => run(...args));
    before = result.catch((error: unknown) => {
      if (statusOf(toDomainError(error).code) >= 500) throw notCarriedOut();
    });
    before.catch(() => undefined); // of the last item: nothing comes after it
    return result;
  };
}

const notCarriedOut = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'An item before this one could not be finished, so this one was not carried out. Repeat the batch with the same Idempotency-Key.',
    undefined,
    1,
  );
