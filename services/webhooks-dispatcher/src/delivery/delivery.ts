import { hash } from 'node:crypto';
import type { DeliveryResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Filter, Index, Job } from '@svc/document-store';
import { derivedUid, iso, prefixed, type Uid } from '@svc/kernel';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { StoredEvent } from '../event/event.ts';
import type { Answered } from '../sending/send.ts';
import { nextAttemptAt } from './schedule.ts';

export interface Attempt {
  n: number;
  at: string;
  duration_ms: number;
  trigger: 'schedule' | 'manual';
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

/** The delivery of one event to one endpoint. */
export interface Delivery extends Job {
  account: string;
  env: 'live' | 'test';
  endpoint_id: string;
  event_id: string;
  event_type: WebhookEventType;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** When the schedule wants the next attempt, in milliseconds. `due_at` is the same time, or the end of a claim. */
  next_at: number | null;
  attempts: Attempt[];
  subject: string | null;
  /** Size of the event's body in bytes. */
  bytes: number;
}

export type Deliveries = Collection<Delivery>;

export const deliveryIndexes: Index[] = [
  { fields: ['due_at'], present: 'due_at' },
  { fields: ['status', 'endpoint_id', 'due_at'], present: 'due_at' },
  { fields: ['endpoint_id', '_id', 'event_type'] },
  { fields: ['endpoint_id', 'status', '_id', 'event_type'] },
];

/** The deliveries that are not over: they alone have a `due_at`. */
export const pending = { status: 'pending', due_at: { $gte: 0 } } satisfies Filter;

/**
 * The id of the delivery of an event to an endpoint. It is derived from both ids, so a repeated event makes no second delivery. Ids sort by
 * the event's time.
 */
export function deliveryId(eventId: string, endpointId: string): string {
  const uid: Uid = eventId.slice('evt_'.length);
  return prefixed('whd', derivedUid(uid, hash('sha256', eventId + endpointId, 'buffer')));
}

export const newDelivery = (event: StoredEvent, endpoint: Endpoint, now: number): Delivery => ({
  _id: deliveryId(event._id, endpoint._id),
  version: 1,
  account: event.account,
  env: event.env,
  endpoint_id: endpoint._id,
  event_id: event._id,
  event_type: event.type,
  status: 'pending',
  due_at: now,
  next_at: now,
  attempts: [],
  subject: event.subject,
  bytes: Buffer.byteLength(event.body),
});

/** How long a claim excludes other workers, in milliseconds. */
export const CLAIM_MS = 60_000;

const ROW = 1024;

/** Approximate memory of a row in bytes, estimated from the texts of its attempts. */
export const rowBytes = ({ attempts }: Delivery): number =>
  attempts.reduce((sum, { response_body, error }) => sum + 2 * ((response_body ?? '').length + (error ?? '').length) + 200, ROW);

/** The changes to a delivery after an attempt that began and ended at these times (milliseconds). */
export function afterAttempt(
  delivery: Delivery,
  answered: Answered,
  began: number,
  ended: number,
  delays: readonly number[],
): Partial<Delivery> {
  const attempt: Attempt = {
    n: delivery.attempts.length + 1,
    at: iso(began),
    duration_ms: ended - began,
    trigger: 'schedule',
    status_code: answered.status,
    error: answered.status === null ? answered.error : null,
    response_body: answered.status === null ? null : answered.body,
  };
  const attempts = [...delivery.attempts, attempt];
  if (answered.status !== null && answered.status >= 200 && answered.status < 300)
    return { attempts, status: 'succeeded', due_at: null, next_at: null };
  const made = attempts.filter(({ trigger }) => trigger === 'schedule').length;
  const asked = answered.status === 429 || answered.status === 503 ? answered.retryAfter : undefined;
  const next = nextAttemptAt(made, ended, delays, asked);
  return { attempts, status: next === null ? 'failed' : 'pending', due_at: next, next_at: next };
}

export const deliveryResource = (delivery: Delivery): DeliveryResource => ({
  id: delivery._id,
  object: 'webhook_delivery',
  livemode: delivery.env === 'live',
  endpoint_id: delivery.endpoint_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  status: delivery.status,
  next_attempt_at: delivery.status === 'pending' && delivery.next_at !== null ? iso(delivery.next_at) : null,
  attempts: delivery.attempts,
});
