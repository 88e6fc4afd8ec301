import { status } from '@grpc/grpc-js';
import { Failure } from '../calls/failure.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LiveEvent } from '../log/live-feed.ts';
import type { Outlet } from '../reading/outlet.ts';

/** EventStoreDB buffers 32 incoming and 32 outgoing events. */
const BUFFERED = 64;

const tooSlow = (): Failure =>
  new Failure(status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.');

/**
 * Sends events from this ordinal on as they are appended. Drops a reader that lags by more than the buffers hold; what it received has no
 * gap.
 */
export function subscribeLive(log: EventLog, from: number, outlet: Outlet, send: (event: LiveEvent) => void): void {
  const stop = log.live.subscribe((events) => {
    for (const event of events) {
      if (event.entry.ordinal < from || outlet.gone) continue;
      if (outlet.waiting >= BUFFERED) {
        stop();
        outlet.fail(tooSlow());
        return 0;
      }
      send(event);
    }
    return outlet.waiting;
  });
  outlet.onGone(stop);
}
