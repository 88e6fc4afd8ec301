import { status } from '@grpc/grpc-js';
import { Failure } from '../calls/failure.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LiveEvent } from '../log/live-feed.ts';
import type { Outlet } from '../reading/outlet.ts';

/** The original buffers 32 events that come and 32 that go out. */
const BUFFERED = 64;

const tooSlow = (): Failure =>
  new Failure(status.ABORTED, 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.');

/**
 * Sends what is appended from this ordinal on, until the reader leaves or lags by more than the buffers hold; then it is dropped. What was
 * sent before is without a gap.
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
