import { eventExample } from '@svc/contracts/openapi/examples/events';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import { compareAndSet, heldBy } from '@svc/document-store';
import { createCapacity, DomainError, iso, notFound, prefixed, type Uid } from '@svc/kernel';
import { checkReceives } from '../endpoint/domain/endpoint.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { WebhooksContext } from './context.ts';
import { afterManualAttempt, CLAIM_MS, type Delivery, isClaimed, type Made, newDelivery } from './delivery.ts';
import type { RecordHealth } from './health.ts';
import { EventMissing, type InFlight } from './in-flight.ts';
import type { Post } from './post.ts';
import { countAttempt } from './stored-bytes.ts';

/** Attempts that were asked for and are under way: each may take 30 s. */
const UNDER_WAY = { perAccount: 16, inAll: 256 };
/** How long a request waits for the schedule's attempt: the edge waits for 35 s, and an attempt takes up to 30. */
const WAIT_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** Attempts of one delivery, so that its row stays small. */
const MOST_ATTEMPTS = 50;

interface Sending {
  post: Post;
  inFlight: Pick<InFlight, 'use'>;
  recordHealth: RecordHealth;
  stopping: AbortSignal;
}

/** Attempts that someone asks for, beside the schedule. */
export function createManualAttempts(context: WebhooksContext, { post, inFlight, recordHealth, stopping }: Sending) {
  const { deliveries, endpoints, stored, clock } = context;
  const capacity = createCapacity(UNDER_WAY);

  async function withCapacity<T>(account: string, work: () => Promise<T>): Promise<T> {
    const release = capacity.reserve(account, 1);
    if (!release) throw unavailable('Too many attempts that were asked for are under way.');
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Keeps the schedule from sending a pending delivery meanwhile. What has ended, the schedule does not send. */
  async function claimed(endpoint: Endpoint, id: string): Promise<Delivery> {
    for (const until = clock.now() + WAIT_MS; ; await clock.sleep(LOOK_EVERY_MS)) {
      const delivery = await deliveries.get(id);
      if (!delivery || delivery.endpoint_id !== endpoint._id) throw notFound('delivery');
      if (delivery.attempts.length >= MOST_ATTEMPTS)
        throw new DomainError(
          'invalid_state',
          `A delivery has at most ${MOST_ATTEMPTS} attempts. Read its event by GET /v1/events/${delivery.event_id}.`,
        );
      if (delivery.status !== 'pending') return delivery;
      const now = clock.now();
      if (!isClaimed(delivery, now)) {
        const [mine] = await deliveries.claim({ _id: id, version: delivery.version }, { set: heldBy(context.holder, now + CLAIM_MS) });
        if (mine) return mine;
      }
      if (now >= until) throw unavailable('An attempt of this delivery is under way or about to begin. Look at the delivery again.');
    }
  }

  /** As it is now: since it was asked for it may have been deleted or disabled, or have another URL. */
  async function receiving({ _id }: Endpoint): Promise<Endpoint> {
    const endpoint = await endpoints.get(_id);
    if (!endpoint) throw notFound('webhook endpoint');
    checkReceives(endpoint);
    return endpoint;
  }

  /** Gives a claimed one back to its schedule. */
  async function release({ _id, version, status, next_at }: Delivery): Promise<void> {
    if (status === 'pending') await deliveries.claim({ _id, version }, { set: { due_at: next_at } });
  }

  async function record(before: Delivery, made: Made): Promise<Delivery> {
    const { doc } = await compareAndSet(deliveries, before._id, {
      absent: () => undefined,
      change(now) {
        const change = afterManualAttempt(now, before.subject !== null && now.subject === null ? withoutBody(made) : made);
        return now.status === 'pending' && change.status === undefined ? { ...change, due_at: now.next_at } : change;
      },
    });
    if (!doc) throw notFound('delivery');
    countAttempt(stored, doc);
    return doc;
  }

  return {
    /**
     * Makes one attempt now, with the bytes of the first one; the schedule goes on as it was. Returns the delivery with the attempt. Throws `not_found`, `invalid_state` where
     * the endpoint does not receive, also by the time at which the attempt would begin, and `service_unavailable` while another attempt is made, or where too many are under way.
     */
    async redeliver(endpoint: Endpoint, id: string): Promise<Delivery> {
      checkReceives(endpoint);
      return withCapacity(endpoint.account, async () => {
        const delivery = await claimed(endpoint, id);
        const work = inFlight.use(delivery.event_id, async ({ event, body }) => {
          if (delivery.subject === null && event.subject !== null) throw unavailable('Its customer is being erased.');
          const posted = { delivery: id, event_id: delivery.event_id, body, traceparent: event.traceparent };
          const now = await receiving(endpoint);
          const made = await post(now, posted, stopping);
          if (made.answered.status === null && stopping.aborted) throw unavailable('The process is stopping.');
          const recorded = await record(delivery, made);
          await recordHealth(now, made, false);
          return recorded;
        });
        return work.catch(async (error: unknown) => {
          await release(delivery);
          throw error instanceof EventMissing ? new DomainError('invalid_state', 'Its event is not kept any more.') : error;
        });
      });
    },
    /** Posts a sample of a type to the endpoint, once. Returns the delivery that it would be; nothing of it is stored. */
    sendSample: (endpoint: Endpoint, type: WebhookEventType, uid: Uid): Promise<Delivery> =>
      withCapacity(endpoint.account, async () => {
        const now = clock.now();
        const _id = prefixed('evt', uid);
        const event = { ...eventExample(type), id: _id, created_at: iso(now), livemode: endpoint.env === 'live', test: true };
        const body = Buffer.from(JSON.stringify(event));
        const made = await post(endpoint, { event_id: _id, body }, stopping);
        const { account, env } = endpoint;
        const row = { ...{ _id, version: 1, account, env, type, at: now }, resource_id: String(event.data['id']), subject: null, body: '' };
        const change = afterManualAttempt(newDelivery(row, endpoint, now), made);
        return { ...newDelivery(row, endpoint, now), status: 'failed', due_at: null, next_at: null, ...change };
      }),
  };
}

/** An erasure meanwhile: the answer may repeat personal data. */
const withoutBody = (made: Made): Made => (made.answered.status === null ? made : { ...made, answered: { ...made.answered, body: '' } });

const unavailable = (message: string): DomainError => new DomainError('service_unavailable', message, undefined, 1);
