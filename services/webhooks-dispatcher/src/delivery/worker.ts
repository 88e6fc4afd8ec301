import { startDueWork, type DueWork } from '@svc/documents';
import { SpanKind } from '@opentelemetry/api';
import { Counter, currentTraceparent, Histogram, inSpan } from '@svc/service-kit';
import type { WebhooksContext } from '../context.ts';
import type { Send } from '../sending/send.ts';
import { keysOf, signatureHeaders, type SigningKeys } from '../sending/sign.ts';
import { afterAttempt, type Delivery } from './delivery.ts';
import { createLanes } from './lanes.ts';
import { logEnded } from './log-ended.ts';

export const DELIVERY_WORKER = Symbol('delivery worker');

export interface DeliveryWorker {
  /** Something is due now. */
  poke(): void;
  start(): void;
  /** Takes nothing more and hands back what waits; resolves when what is on its way has been answered and recorded, or after 12 s was broken off. */
  stop(): Promise<void>;
  lag(): Promise<number>;
}

const CLAIM_MS = 60_000;
/** An attempt may take 30 s: with less of the claim left than that it is renewed first. */
const ENOUGH_MS = 31_000;
const KEYS = 10_000;
/** Of the 25 s that a process has to end in, kept connections may take 5 and `LINGER` some. */
const STOP_MS = 12_000;
/** What an endpoint has no room for comes again within so much, spread evenly: room that is made meanwhile soon finds something. */
const BACK_WITHIN_MS = 30_000;
const BACK_STEPS = 60;

const attempts = new Counter({ name: 'svc_webhook_attempts_total', help: 'Webhook attempts by outcome', labelNames: ['outcome'] });
const seconds = new Histogram({
  name: 'svc_webhook_attempt_seconds',
  help: 'How long webhook attempts took',
  buckets: [0.01, 0.05, 0.25, 1, 5, 30],
});

/** Attempts what is due: claimed in batches, one lane per endpoint, the outcome written once per attempt. */
export function createDeliveryWorker(context: WebhooksContext, send: Send): DeliveryWorker {
  const { clock, deliveries, endpoints, events, logger } = context;
  const keys = new Map<string, SigningKeys>();
  const stopping = new AbortController();
  let turnedAway = 0;
  let work: DueWork | undefined;

  const keysFor = (sealed: string): SigningKeys => {
    const known = keys.get(sealed);
    if (known) return known;
    const made = keysOf(context.ring.open(sealed).toString('utf8'));
    if (keys.size >= KEYS) keys.clear();
    keys.set(sealed, made);
    return made;
  };

  /** True unless the attempt failed: what the lane needs to know. */
  const attempt = async (claimed: Delivery): Promise<boolean> => {
    const delivery = await held(claimed);
    if (!delivery) return true;
    const endpoint = await endpoints.get(delivery.endpoint_id);
    const event = await events.get(delivery.event_id);
    if (!endpoint || endpoint.deleted || endpoint.status === 'disabled') {
      await deliveries.claim({ _id: delivery._id, version: delivery.version }, { set: { status: 'cancelled', due_at: null } });
      return true;
    }
    if (!event) throw new Error(`its event ${delivery.event_id} is not there`);
    const began = clock.now();
    const body = Buffer.from(event.body, 'utf8');
    const about = { traceparent: event.traceparent, kind: SpanKind.CLIENT, attributes: { 'svc.delivery': delivery._id } };
    const answered = await inSpan('webhook attempt', about, async (span) => {
      const traceparent = currentTraceparent() ?? event.traceparent;
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks/1',
        ...(traceparent ? { traceparent } : {}),
        ...signatureHeaders(keysFor(endpoint.secret), event._id, Math.floor(began / 1000), body),
      };
      const answer = await send({ url: endpoint.url, headers, body }, stopping.signal);
      span.setAttribute('http.response.status_code', answer.status ?? 0);
      return answer;
    });
    if (answered.status === null && stopping.signal.aborted) {
      await handBack(delivery, 0); // no fault of the endpoint
      return false;
    }
    const ended = clock.now();
    const change = afterAttempt(delivery, answered, began, ended, context.delays);
    const ok = change.status === 'succeeded';
    attempts.inc({ outcome: ok ? 'succeeded' : answered.status === null ? 'no_answer' : 'refused' });
    seconds.observe((ended - began) / 1000);
    const recorded = await deliveries.claim({ _id: delivery._id, version: delivery.version }, { set: change });
    if (change.status === 'failed' && recorded[0]) logEnded(logger, recorded[0], event.traceparent);
    return ok;
  };

  /** The delivery while it is still ours to send; undefined when another worker has it. */
  const held = async (delivery: Delivery): Promise<Delivery | undefined> => {
    const now = clock.now();
    if ((delivery.due_at ?? 0) - now >= ENOUGH_MS) return delivery;
    const [renewed] = await deliveries.claim({ _id: delivery._id, version: delivery.version }, { set: { due_at: now + CLAIM_MS } });
    return renewed;
  };

  const lanes = createLanes<Delivery>({
    laneOf: ({ endpoint_id }) => endpoint_id,
    run: (delivery) =>
      attempt(delivery).catch((error: unknown) => {
        logger.error({ err: error, delivery: delivery._id }, 'a webhook attempt could not be recorded; it comes again');
        return false;
      }),
  });

  /** Not an attempt: what the schedule says stays as it is. */
  const handBack = ({ _id, version }: Delivery, forMs: number): Promise<Delivery[]> =>
    deliveries.claim({ _id, version }, { set: { due_at: clock.now() + forMs } });

  const putOff = (delivery: Delivery): Promise<Delivery[]> => {
    turnedAway = (turnedAway % BACK_STEPS) + 1;
    return handBack(delivery, (BACK_WITHIN_MS / BACK_STEPS) * turnedAway);
  };

  return {
    poke: () => work?.poke(),
    start() {
      work = startDueWork({
        name: 'due:deliveries',
        collection: deliveries,
        clock,
        logger,
        lookEvery: context.lookEvery,
        handle: async (due) => void (await Promise.all(lanes.add(due).map(putOff))),
      });
    },
    async stop() {
      const cancel = clock.after(STOP_MS, () => stopping.abort());
      await work?.stop();
      // One that is not handed back comes again when its claim runs out.
      await Promise.allSettled(lanes.stop().map((delivery) => handBack(delivery, 0)));
      await lanes.drain();
      cancel();
    },
    lag: async () => (work ? work.lag() : 0),
  };
}
