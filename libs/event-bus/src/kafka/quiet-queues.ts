import { createRequire } from 'node:module';
import { systemClock } from '@svc/kernel';

/** The members of a connection's queue that are used here; kafkajs does not export it. */
interface Queue {
  pending: unknown[];
  /** Ms since the epoch; -1 while the broker has not asked to wait. */
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

export const { prototype: queue } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: Queue };

const schedule = queue.scheduleCheckPendingRequests;

/**
 * Without anything to wait for, kafkajs 2.2.4 sets a timer of a negative delay, which Node makes 1 ms, and repeats it on every connection
 * (kafkajs#1751): an idle process with three connections took 5 % of a processor.
 */
queue.scheduleCheckPendingRequests = function scheduleIfNeeded(this: Queue): void {
  if (this.pending.length > 0 || this.throttledUntil > systemClock.now()) schedule.call(this);
};
