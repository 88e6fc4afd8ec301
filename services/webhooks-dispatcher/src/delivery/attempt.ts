import { SpanKind } from '@opentelemetry/api';
import { answeredWith, clientAttributes, Counter, currentTraceparent, Histogram, inSpan } from '@svc/service';
import { LRUCache } from 'lru-cache';
import type { WebhooksContext } from './context.ts';
import { secretOf, type Endpoint } from '../endpoint/endpoint.ts';
import type { StoredEvent } from '../event/event.ts';
import type { Answered, Send } from '../sending/send.ts';
import { keysOf, signatureHeaders, type SigningKeys } from '../sending/sign.ts';
import { afterAttempt, CLAIM_MS, type Delivery } from './delivery.ts';
import type { InFlight } from './in-flight.ts';
import { logEnded } from './log-ended.ts';
import { oncePerTurn } from './once-per-turn.ts';
import type { Outcome } from './queues.ts';
import type { DueDeliveries } from './due.ts';
import { deliveriesEnded, type Recorder } from './record.ts';

/** An attempt may take 30 s. A claim with less time left is renewed before the attempt. */
const ENOUGH_MS = 31_000;
/** After which a delivery looks again whether the erasure of its customer is done. */
const ERASING_MS = 1_000;
const KEYS = 10_000;

const attempts = new Counter({ name: 'svc_webhook_attempts_total', help: 'Webhook attempts by outcome', labelNames: ['outcome'] });
for (const outcome of ['succeeded', 'no_answer', 'refused']) attempts.inc({ outcome }, 0);
const seconds = new Histogram({
  name: 'svc_webhook_attempt_seconds',
  help: 'How long webhook attempts took',
  buckets: [0.01, 0.05, 0.25, 1, 5, 30],
});

interface Sending {
  send: Send;
  inFlight: Pick<InFlight, 'use'>;
  recorder: Pick<Recorder, 'record'>;
  due: Pick<DueDeliveries, 'fallsDue'>;
  stopping: AbortSignal;
}

/**
 * Makes one attempt of a claimed delivery; it is recorded then, or within 20 ms after a success. When `stopping` aborts, the attempt is cancelled, not counted, and the delivery
 * is due again at once. Rejects when the outcome cannot be stored.
 */
export function createAttempt(
  context: WebhooksContext,
  { send, inFlight, recorder, due, stopping }: Sending,
): (claimed: Delivery) => Promise<Outcome> {
  const { clock, endpoints, ring, delays, logger } = context;
  const endpointOf = oncePerTurn((id) => endpoints.get(id));
  const keys = new LRUCache<string, SigningKeys>({ max: KEYS });

  const keysFor = (endpoint: Endpoint): SigningKeys => {
    const cached = `${endpoint._id} ${endpoint.secret}`;
    const known = keys.get(cached);
    if (known) return known;
    const made = keysOf(secretOf(endpoint, ring));
    keys.set(cached, made);
    return made;
  };

  const write = ({ _id, version }: Delivery, set: Partial<Delivery>): Promise<Delivery[]> =>
    context.deliveries.claim({ _id, version }, { set });

  /** The delivery, with a claim long enough for an attempt; undefined when another worker has claimed it. */
  const held = async (delivery: Delivery): Promise<Delivery | undefined> => {
    const now = clock.now();
    if ((delivery.due_at ?? 0) - now >= ENOUGH_MS) return delivery;
    const [renewed] = await write(delivery, { due_at: now + CLAIM_MS });
    return renewed;
  };

  const post = (delivery: Delivery, endpoint: Endpoint, { _id, traceparent }: StoredEvent, body: Buffer): Promise<Answered> =>
    inSpan('POST webhook', aboutPost(delivery, endpoint, traceparent), async (span) => {
      const parent = currentTraceparent() ?? traceparent;
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks/1',
        ...(parent ? { traceparent: parent } : {}),
        ...signatureHeaders(keysFor(endpoint), _id, Math.floor(clock.now() / 1000), body),
      };
      const answer = await send({ account: endpoint.account, url: endpoint.url, headers, body }, stopping);
      answeredWith(span, answer.status);
      return answer;
    });

  return async (claimed) => {
    const delivery = await held(claimed);
    if (!delivery) return 'skipped';
    const endpoint = await endpointOf(delivery.endpoint_id);
    if (!endpoint || endpoint.deleted || endpoint.status === 'disabled') {
      await write(delivery, { status: 'cancelled', due_at: null });
      return 'skipped';
    }
    return inFlight.use(delivery.event_id, async (event, body) => {
      if (isBeingErased(delivery, event)) {
        await write(delivery, { due_at: clock.now() + ERASING_MS });
        return 'skipped';
      }
      const began = clock.now();
      const answered = await post(delivery, endpoint, event, body);
      if (answered.status === null && stopping.aborted) {
        await write(delivery, { due_at: clock.now() }); // The process is stopping; the endpoint did not fail.
        return 'skipped';
      }
      const ended = clock.now();
      const change = afterAttempt(delivery, answered, began, ended, delays);
      seconds.observe((ended - began) / 1000);
      if (change.status === 'succeeded') {
        attempts.inc({ outcome: 'succeeded' });
        await recorder.record({ ...delivery, ...change, version: delivery.version + 1 });
        return 'succeeded';
      }
      attempts.inc({ outcome: answered.status === null ? 'no_answer' : 'refused' });
      const [recorded] = await write(delivery, change);
      if (recorded?.due_at) due.fallsDue(recorded.due_at);
      if (recorded && change.status === 'failed') {
        deliveriesEnded.inc({ outcome: 'failed' });
        logEnded(logger, recorded, event.traceparent);
      }
      return 'failed';
    });
  };
}

/** Its replies are erased, and the body, as it was read, is not: sent now, the reply could bring the personal data back. */
const isBeingErased = (delivery: Delivery, event: StoredEvent): boolean => delivery.subject === null && event.subject !== null;

const attributesByUrl = new LRUCache<string, ReturnType<typeof clientAttributes>>({ max: KEYS });

const aboutPost = ({ _id, event_id }: Delivery, { url }: Endpoint, traceparent: string | undefined) => {
  let attributes = attributesByUrl.get(url);
  if (!attributes) attributesByUrl.set(url, (attributes = clientAttributes('POST', url)));
  return {
    service: 'webhooks-dispatcher',
    traceparent,
    kind: SpanKind.CLIENT,
    attributes: { ...attributes, 'svc.delivery': _id, 'svc.event': event_id },
  };
};
