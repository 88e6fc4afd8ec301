import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';

/** What is recovered: events of these types that happened in this time (milliseconds, both ends included). */
export interface Wanted {
  since: number;
  until: number;
  types: WebhookEventType[];
}

/** Where a walk over events goes on: behind the event of this id among those of this time (milliseconds), by time and id. `after` '': before all of that time. */
export interface Cursor {
  at: number;
  after: string;
}

/** One recovery of an endpoint. It counts first, then hands over deliveries, then waits for their ends. */
export interface RecoveryState extends Wanted, Cursor {
  status: 'running' | 'done' | 'stopped';
  phase: 'counting' | 'sending' | 'ending';
  /** Events without a succeeded delivery, and those of them that had none pending. Until counted: so far. */
  matched: number;
  created: number;
  delivered: number;
  failed: number;
  /** Deliveries that may wait for their first attempt at one time. */
  window: number;
  /** Nothing is handed over before this time; 0: now. `pauseMs` grows while attempts fail. */
  pausedUntil: number;
  pauseMs: number;
}

export type Change = Partial<RecoveryState>;

/** Half of the permits of a healthy endpoint: fresh events have the others. */
const SLOW_WINDOW = 32;
/** Of an endpoint that is done with all of them before the next look, a tenth of a second later: fresh events wait no longer behind them. It is what its queue claims at once. */
const FAST_WINDOW = 128;
const FAST_RISE = 4;
const FIRST_WINDOW = 4;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;

export const begun = (wanted: Wanted): RecoveryState => ({
  ...wanted,
  ...{ status: 'running', phase: 'counting', matched: 0, created: 0, delivered: 0, failed: 0 },
  ...{ at: wanted.since, after: '', window: FIRST_WINDOW, pausedUntil: 0, pauseMs: FIRST_PAUSE_MS },
});

/** First attempts that ended since the last step. */
export interface Tried {
  succeeded: number;
  failed: number;
}

/** What they say about what the endpoint bears: more at a time after successes, half of it and a pause after a failure. */
export function adjusted(state: RecoveryState, { succeeded, failed }: Tried, now: number): Change {
  const delivered = state.delivered + succeeded;
  if (failed > 0)
    return {
      ...{ delivered, window: Math.max(1, Math.floor(state.window / 2)) },
      ...{ pausedUntil: now + state.pauseMs, pauseMs: Math.min(MOST_PAUSE_MS, 2 * state.pauseMs) },
    };
  if (succeeded === 0) return {};
  const isFast = state.window >= SLOW_WINDOW && succeeded >= state.window;
  const window = isFast ? Math.min(FAST_WINDOW, state.window + FAST_RISE) : Math.min(SLOW_WINDOW, state.window + 1);
  return { delivered, window, pausedUntil: 0, pauseMs: FIRST_PAUSE_MS };
}

/** What an endpoint has of a recovery. `perSecond`: its pace, if it has one. */
export interface InHand {
  waiting: number;
  now: number;
  perSecond?: number | null | undefined;
}

/** How many deliveries may be handed over now. At a pace what waits is what it takes in a second: fresh events wait no longer behind it. */
export const mayHandOver = ({ window, pausedUntil }: RecoveryState, { waiting, now, perSecond }: InHand): number =>
  now < pausedUntil ? 0 : Math.max(0, Math.min(window, perSecond ?? Infinity) - waiting);
