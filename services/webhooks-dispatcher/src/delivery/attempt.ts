import { heldBy } from '@svc/document-store';
import { Histogram } from '@svc/service';
import type { WebhooksContext } from './context.ts';
import { isFailing, mayReceive } from '../endpoint/domain/endpoint.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { StoredEvent } from '../event/event.ts';
import { afterAttempt, CLAIM_MS, sinceEvent, type Delivery } from './delivery.ts';
import type { RecordHealth } from './health.ts';
import { EventMissing, type InFlight, oncePerTurn, type Sent } from './in-flight.ts';
import { logEnded } from './log-ended.ts';
import type { Pacing } from './pacing.ts';
import { NO_PHASES } from '../sending/send.ts';
import type { Post } from './post.ts';
import type { Outcome, Queues } from './queues.ts';
import type { DueDeliveries } from './due.ts';
import { countAttempt } from './stored-bytes.ts';
import { deliveriesEnded, type Recorder } from './record.ts';

/** An attempt may take 30 s. A claim with less time left is renewed before the attempt. */
const ENOUGH_MS = 31_000;
/** After which a delivery looks again whether the erasure of its customer is done. */
const ERASING_MS = 1_000;

const firstAttempts = new Histogram({
  name: 'svc_webhook_first_attempt_seconds',
  help: 'Time from an event to the first attempt of its webhook, but of endpoints that fail or have a pace of their own',
  buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
});

interface Sending {
  post: Post;
  inFlight: Pick<InFlight, 'use'>;
  recorder: Pick<Recorder, 'record'>;
  recordHealth: RecordHealth;
  pacing: Pick<Pacing, 'note'>;
  queues: Pick<Queues<Delivery>, 'note'>;
  due: Pick<DueDeliveries, 'fallsDue'>;
  stopping: AbortSignal;
}

/**
 * Makes one attempt of a claimed delivery; it is recorded then, or within 20 ms after a success. When `stopping` aborts, the attempt is cancelled, not counted, and the delivery
 * is due again at once. Rejects when the outcome cannot be stored.
 */
export function createAttempt(
  context: WebhooksContext,
  { post, inFlight, recorder, recordHealth, pacing, queues, due, stopping }: Sending,
): (claimed: Delivery, isPaced: boolean) => Promise<Outcome> {
  const { clock, endpoints, delays, logger } = context;
  const endpointOf = oncePerTurn((id) => endpoints.get(id));

  const write = ({ _id, version }: Delivery, set: Partial<Delivery>): Promise<Delivery[]> =>
    context.deliveries.claim({ _id, version }, { set });

  /** The claim lasts for an attempt. */
  const isHeld = ({ due_at }: Delivery): boolean => (due_at ?? 0) - clock.now() >= ENOUGH_MS;
  /** The delivery, claimed anew; undefined when another worker has claimed it. */
  const held = async (delivery: Delivery): Promise<Delivery | undefined> =>
    (await write(delivery, heldBy(context.holder, clock.now() + CLAIM_MS)))[0];

  /** Makes no attempt now: the delivery is due then. */
  const later = async (delivery: Delivery, due_at: number): Promise<Outcome> => {
    await write(delivery, { due_at });
    due.fallsDue(due_at);
    return 'skipped';
  };

  const recordFailed = async (delivery: Delivery, change: Partial<Delivery>, traceparent?: string): Promise<void> => {
    const [recorded] = await write(delivery, change);
    if (recorded) countAttempt(context.stored, recorded);
    if (recorded?.due_at) due.fallsDue(recorded.due_at);
    if (recorded && change.status === 'failed') {
      deliveriesEnded.inc({ outcome: 'failed' });
      logEnded(logger, recorded, traceparent);
    }
  };

  /** Counts as an attempt that failed, so that it ends, and says nothing of the endpoint. */
  const withoutEvent = async (delivery: Delivery): Promise<Outcome> => {
    const now = clock.now();
    const answered = { status: null, error: 'its event is not kept any more', phases: NO_PHASES };
    await recordFailed(delivery, afterAttempt(delivery, { answered, began: now, ended: now }, delays));
    return 'skipped';
  };

  const send = async (delivery: Delivery, endpoint: Endpoint, { event, body }: Sent): Promise<Outcome> => {
    if (isBeingErased(delivery, event)) return later(delivery, clock.now() + ERASING_MS);
    const { _id, event_id } = delivery;
    const made = await post(endpoint, { delivery: _id, event_id, body, traceparent: event.traceparent }, stopping);
    if (made.answered.status === null && stopping.aborted) {
      await write(delivery, { due_at: clock.now() }); // The process is stopping; the endpoint did not fail.
      return 'skipped';
    }
    if (isFirst(delivery) && !isFailing(endpoint) && !endpoint.rate_per_second)
      firstAttempts.observe(sinceEvent(delivery, made.began) / 1000);
    const change = afterAttempt(delivery, made, delays);
    if (change.status !== 'succeeded') {
      const isGone = change.status === 'failed' && made.answered.status === 410;
      // Before the attempt is recorded, which no later one follows: where this is not stored, the attempt is repeated.
      if (isGone) await recordHealth(endpoint, made, isGone);
      await recordFailed(delivery, change, event.traceparent);
      // After the attempt is recorded: a disabling cancels what is pending.
      if (!isGone) await recordHealth(endpoint, made, isGone);
      return 'failed';
    }
    const recorded = { ...delivery, ...change, version: delivery.version + 1 };
    countAttempt(context.stored, recorded);
    const full = recorder.record(recorded);
    if (full) await full;
    const stored = recordHealth(endpoint, made, false);
    if (stored) await stored;
    return 'succeeded';
  };

  return async (claimed, isPaced) => {
    const delivery = isHeld(claimed) ? claimed : await held(claimed);
    if (!delivery) return 'skipped';
    const endpoint = await endpointOf(delivery.endpoint_id);
    if (!endpoint || !mayReceive(endpoint)) {
      await write(delivery, { status: 'cancelled', due_at: null, next_at: null });
      return 'skipped';
    }
    // The claim was of an attempt that someone asked for, whose process died.
    if (delivery.next_at !== null && delivery.next_at > clock.now()) return later(delivery, delivery.next_at);
    pacing.note(endpoint._id, endpoint.rate_per_second);
    if (queues.note(endpoint.account, endpoint._id, isFailing(endpoint))) return 'paced';
    if (!isPaced && endpoint.rate_per_second) return 'paced';
    try {
      return await inFlight.use(delivery.event_id, (sent) => send(delivery, endpoint, sent));
    } catch (error) {
      if (error instanceof EventMissing) return withoutEvent(delivery);
      throw error;
    }
  };
}

/** A recovery makes deliveries of events that are long past. */
const isFirst = ({ attempts, recovery }: Delivery): boolean => attempts.length === 0 && !recovery;

/** Its replies are erased, and the body, as it was read, is not: sent now, the reply could bring the personal data back. */
const isBeingErased = (delivery: Delivery, event: StoredEvent): boolean => delivery.subject === null && event.subject !== null;
