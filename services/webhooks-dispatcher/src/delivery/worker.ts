import type { WebhooksContext } from '../context.ts';
import type { Send } from '../sending/send.ts';
import { createAttempt } from './attempt.ts';
import { createCancelling } from './cancel.ts';
import { bodyBytes, rowBytes, type Delivery } from './delivery.ts';
import { createDue, type DueDeliveries } from './due.ts';
import { createQueues } from './queues.ts';

export const DELIVERY_WORKER = Symbol('delivery worker');

export interface DeliveryWorker extends Pick<DueDeliveries, 'wake' | 'start' | 'lag' | 'progress'> {
  /** Cancels what is pending for an endpoint that was deleted, in the background and also after a restart. */
  cancel(endpoint: string): void;
  /** Takes nothing more and hands back what waits; resolves when what is on its way has been answered and recorded, or after 12 s was broken off. */
  stop(): Promise<void>;
}

/** Of the 25 s that a process has to end in, kept connections may take 5 and `LINGER` some. */
const STOP_MS = 12_000;

/** Attempts what is due: claimed for the queues that have room, sent as permits allow, the outcome written once per attempt. */
export function createDeliveryWorker(context: WebhooksContext, send: Send): DeliveryWorker {
  const { clock, deliveries, logger } = context;
  const stopping = new AbortController();
  const attempt = createAttempt(context, send, stopping.signal);
  const queues = createQueues<Delivery>({
    waitingBytes: rowBytes,
    bodyBytes,
    run: (delivery) =>
      attempt(delivery).catch((error: unknown) => {
        logger.error({ err: error, delivery: delivery._id }, 'a webhook attempt could not be recorded; it comes again');
        return 'skipped';
      }),
    refill: (account, endpoint) => void due.refill(account, endpoint),
  });
  const cancelling = createCancelling(context);
  const due = createDue(context, queues, cancelling);

  /** Not an attempt: what the schedule says stays as it is. */
  const handBack = ({ _id, version }: Delivery): Promise<Delivery[]> =>
    deliveries.claim({ _id, version }, { set: { due_at: clock.now() } });

  return {
    ...due,
    cancel: cancelling.start,
    async stop() {
      const cancel = clock.after(STOP_MS, () => stopping.abort());
      await due.stop();
      await cancelling.stop();
      // One that is not handed back comes again when its claim runs out.
      await Promise.allSettled(queues.stop().map(handBack));
      await queues.drain();
      cancel();
    },
  };
}
