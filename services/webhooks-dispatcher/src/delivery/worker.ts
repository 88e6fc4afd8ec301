import { type JobQueue, moveJobsBack, type SetBack } from '@svc/document-store';
import type { WebhooksContext } from './context.ts';
import type { Ended } from '../endpoint/endpoint.ts';
import type { Send } from '../sending/send.ts';
import { createAttempt } from './attempt.ts';
import { createCancelling } from './cancel.ts';
import { rowBytes, type Delivery } from './delivery.ts';
import { createDue, type DueDeliveries } from './due.ts';
import { createHealth, endedOf } from './health.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createInTurn, type InTurn } from './in-turn.ts';
import { createManualAttempts } from './manual.ts';
import { createPacing } from './pacing.ts';
import { createPost } from './post.ts';
import { createQueues, type Outcome } from './queues.ts';
import { createRecorder } from './record.ts';

/** The recoveries of all endpoints, in this process. */
export interface Recovering extends JobQueue {
  /** All that this one has handed over has been sent: its next step is now. */
  goOn(endpoint: string): void;
}

type ManualAttempts = ReturnType<typeof createManualAttempts>;

export interface DeliveryWorker extends Pick<DueDeliveries, 'add' | 'wake' | 'start' | 'lag' | 'progress'>, ManualAttempts {
  keep: InFlight['keep'];
  inTurn: InTurn;
  /** Cancels the pending deliveries of a deleted or disabled endpoint, in the background; continues after a restart. */
  cancel(endpoint: string): void;
  /** Resolves when the attempts that have succeeded are written. */
  written(): Promise<void>;
  /** Names the recoveries, which send in turn. */
  recovers(recoveries: Pick<Recovering, 'wake' | 'goOn'>): void;
  /** Looks at the recoveries now. */
  recover(): void;
  /** Has what waits wait by so much less, since the clock was set back. */
  setBack(by: SetBack): Promise<void>;
  /** What the newest of an endpoint's deliveries that have ended, and its last recovery, say. */
  ended(endpoint: string): Promise<Ended>;
  /**
   * Claims no more deliveries and releases those that wait. Resolves when the attempts in flight have ended and are recorded; cancels them
   * after 12 s.
   */
  stop(): Promise<void>;
}

/** A process has 25 s to end; kept connections may take 5 s of it, and `LINGER` some. */
const STOP_MS = 12_000;

/** Sends new and due deliveries: claims them for the queues that have capacity, sends as permits allow, and writes the outcome once per attempt. */
export function createDeliveryWorker(context: WebhooksContext, send: Send): DeliveryWorker {
  const { clock, deliveries, logger } = context;
  const stopping = new AbortController();
  let recoveries: Pick<Recovering, 'wake' | 'goOn'> | undefined;
  const inFlight = createInFlight(context.events);
  const recorder = createRecorder(context);
  const pacing = createPacing(context.paces, clock, (error) =>
    logger.error({ err: error }, 'the pace of a webhook endpoint could not be kept; it is tried again'),
  );
  const queues = createQueues<Delivery>({
    pacing,
    after: clock.after.bind(clock),
    waitingBytes: rowBytes,
    bodyBytes: ({ bytes }) => bytes,
    since: ({ next_at, due_at }) => next_at ?? due_at ?? Infinity,
    async run(delivery, isPaced) {
      let outcome: Outcome = 'skipped';
      try {
        outcome = await attempt(delivery, isPaced);
      } catch (error) {
        logger.error({ err: error, delivery: delivery._id }, 'a webhook attempt could not be recorded; it comes again');
      }
      inTurn.ended(delivery, outcome);
      return outcome;
    },
    refill: (account, endpoint) => void due.refill(account, endpoint),
  });
  const inTurn = createInTurn(context, queues, (endpoint) => recoveries?.goOn(endpoint));
  const cancelling = createCancelling(context);
  const due = createDue(context, queues, cancelling);
  const sending = {
    post: createPost(context, send),
    inFlight,
    recordHealth: createHealth(context, cancelling.start),
    stopping: stopping.signal,
  };
  const attempt = createAttempt(context, { ...sending, pacing, queues, recorder, due });

  /** Makes a claimed delivery due again. This is no attempt: its schedule is unchanged. */
  const handBack = ({ _id, version }: Delivery): Promise<Delivery[]> =>
    deliveries.claim({ _id, version }, { set: { due_at: clock.now() } });

  return {
    ...due,
    ...createManualAttempts(context, sending),
    keep: inFlight.keep,
    inTurn,
    cancel: cancelling.start,
    ended: (endpoint) => endedOf(context, endpoint),
    written: recorder.written,
    recovers: (its) => void (recoveries = its),
    recover: () => recoveries?.wake(),
    async setBack(by) {
      await moveJobsBack(deliveries, by, ({ next_at }, earlier) => ({ next_at: next_at === null ? null : earlier(next_at) }));
      due.wake();
    },
    async stop() {
      const cancel = clock.after(STOP_MS, () => stopping.abort());
      await Promise.all([due.stop(), inTurn.stop()]);
      await cancelling.stop();
      // A delivery that cannot be released becomes due when its claim ends.
      await Promise.allSettled(queues.stop().map(handBack));
      await queues.drain();
      await recorder.stop();
      cancel();
    },
  };
}
