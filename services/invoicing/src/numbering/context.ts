import type { EventStore, Sequence } from '@svc/event-store';
import type { Clock, Ids } from '@svc/kernel';
import type { ClockCheck } from '../clock/clock-check.ts';
import type { ClosedSeries } from './series.ts';
import type { RestoredStore } from './restored-store.ts';

/** What numbers are taken with. */
export interface NumberingContext {
  store: EventStore;
  sequence: Sequence;
  clock: Clock;
  ids: Ids;
  closedSeries: ClosedSeries;
  /** Whether the clock may date documents. */
  clockCheck: ClockCheck;
  /** Of a store that was restored from a backup. */
  restored?: RestoredStore | undefined;
}
