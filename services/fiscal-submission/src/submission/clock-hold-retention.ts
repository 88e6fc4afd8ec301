import type { Collection, Retention } from '@svc/document-store';
import { iso } from '@svc/kernel';
import type { ClockHold } from './clock-holds.ts';

const KEPT_MS = 7 * 86_400_000;

/**
 * A hold goes a week after the refusal, where no process has found the clocks apart since: one that starts asks for the time no more. A clock that is wrong again makes another
 * one.
 */
export const clockHoldRetention = (collection: Collection<ClockHold>): Retention<ClockHold> => ({
  ...{ name: 'clock_holds', collection, field: 'since' },
  keptFrom: (now) => iso(now - KEPT_MS),
  removable: (holds, now) => holds.filter(({ until = 0 }) => until <= now - KEPT_MS),
});
