import { hash } from 'node:crypto';
import type { AttemptPhases, DeliveryResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Filter, Index, Job } from '@svc/document-store';
import { derivedUid, iso, prefixed, timeOf, type Uid } from '@svc/kernel';
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
  /** Absent: of release 0.1.0. until 0.3 */
  phases?: AttemptPhases;
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
  /** Absent in rows of release 0.1.0. until 0.3 */
  resource_id?: string;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** When the schedule wants the next attempt, in milliseconds. `due_at` is the same time, or the end of a claim. */
  next_at: number | null;
  attempts: Attempt[];
  subject: string | null;
  /** The command of the recovery that made it, or made it pending again after so many attempts. */
  recovery?: string | null;
  attempts_before?: number;
  /** Size of the event's body in bytes. */
  bytes: number;
}

export type Deliveries = Collection<Delivery>;

export const deliveryIndexes: Index[] = [
  { fields: ['due_at'], present: 'due_at' },
  { fields: ['status', 'endpoint_id', 'due_at'], present: 'due_at' },
  { fields: ['endpoint_id', '_id', 'event_type'] },
  { fields: ['endpoint_id', 'status', '_id', 'event_type'] },
  { fields: ['recovery', 'status'], present: 'recovery' },
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

/** Milliseconds from its event to a time; 0 where the clocks of two machines differ by more. */
export const sinceEvent = ({ _id }: Delivery, at: number): number => Math.max(0, at - timeOf(_id.slice('whd_'.length)));

export const newDelivery = (event: StoredEvent, endpoint: Endpoint, now: number): Delivery => ({
  _id: deliveryId(event._id, endpoint._id),
  version: 1,
  account: event.account,
  env: event.env,
  endpoint_id: endpoint._id,
  event_id: event._id,
  event_type: event.type,
  resource_id: event.resource_id,
  status: 'pending',
  due_at: now,
  next_at: now,
  attempts: [],
  subject: event.subject,
  bytes: Buffer.byteLength(event.body),
});

/** How long a claim excludes other workers, in milliseconds. */
export const CLAIM_MS = 60_000;

/** Whether a process holds it for an attempt: a claim lasts beyond the time for which the schedule wants the attempt. */
export const isClaimed = ({ due_at, next_at }: Delivery, now: number): boolean => due_at !== null && due_at > now && due_at !== next_at;

const ROW = 1024;

/** Approximate memory of a row in bytes, estimated from the texts of its attempts. */
export const rowBytes = ({ attempts }: Delivery): number =>
  attempts.reduce((sum, { response_body, error }) => sum + 2 * ((response_body ?? '').length + (error ?? '').length) + 200, ROW);

/** One attempt: what came of it, and when it began and ended, in milliseconds. */
export interface Made {
  answered: Answered;
  began: number;
  ended: number;
}

export const isSuccess = ({ status }: Answered): boolean => status !== null && status >= 200 && status < 300;

const attemptOf = ({ attempts }: Delivery, { answered, began, ended }: Made, trigger: Attempt['trigger']): Attempt => ({
  n: (attempts.at(-1)?.n ?? 0) + 1,
  at: iso(began),
  duration_ms: ended - began,
  trigger,
  status_code: answered.status,
  phases: answered.phases,
  error: isSuccess(answered) ? null : failureOf(answered),
  response_body: answered.status === null ? null : answered.body,
});

/** Why an attempt failed, in words. */
export function failureOf(answered: Answered): string {
  if (answered.status === null) return answered.error;
  const { status, location } = answered;
  if (status >= 300 && status < 400 && location !== undefined)
    return `it answered ${status}, a redirect to ${location}: redirects are not followed`;
  return `it answered ${status}`;
}

/** Of a row of release 0.1.0, which has no words where there was an answer (until 0.3), too. */
export const errorOf = ({ error, status_code }: Attempt): string | null =>
  error ?? (status_code === null || (status_code >= 200 && status_code < 300) ? null : `it answered ${status_code}`);

/** The changes to a delivery after an attempt that someone asked for: they leave the schedule as it is. A success ends it. */
export function afterManualAttempt(delivery: Delivery, made: Made): Partial<Delivery> {
  const attempts = [...delivery.attempts, attemptOf(delivery, made, 'manual')];
  return isSuccess(made.answered) ? { attempts, status: 'succeeded', due_at: null, next_at: null } : { attempts };
}

/** How many attempts of the schedule it had, since a recovery made it pending again. */
const scheduledOf = ({ attempts, attempts_before: before = 0 }: Delivery): number =>
  attempts.slice(before).filter(({ trigger }) => trigger === 'schedule').length;

/** Since a recovery made it, or made it pending again, the schedule has tried nothing: it waits for its turn among those of its resource, or is being sent. */
export const isInTurn = (delivery: Delivery): boolean =>
  delivery.status === 'pending' && typeof delivery.recovery === 'string' && scheduledOf(delivery) === 0;

/** The changes to a delivery after an attempt of the schedule. */
export function afterAttempt(delivery: Delivery, { answered, began, ended }: Made, delays: readonly number[]): Partial<Delivery> {
  const attempts = [...delivery.attempts, attemptOf(delivery, { answered, began, ended }, 'schedule')];
  if (isSuccess(answered)) return { attempts, status: 'succeeded', due_at: null, next_at: null };
  const made = scheduledOf({ ...delivery, attempts });
  const asked = answered.status === 429 || answered.status === 503 ? answered.retryAfter : undefined;
  const next = nextAttemptAt(made, ended, delays, asked);
  return { attempts, status: next === null ? 'failed' : 'pending', due_at: next, next_at: next };
}

/** `resource`: of its event, where the row does not have it (until 0.3). */
export const deliveryResource = (delivery: Delivery, resource = ''): DeliveryResource => ({
  id: delivery._id,
  object: 'webhook_delivery',
  livemode: delivery.env === 'live',
  endpoint_id: delivery.endpoint_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  resource_id: delivery.resource_id ?? resource,
  status: delivery.status,
  next_attempt_at: delivery.status === 'pending' && delivery.next_at !== null && !isInTurn(delivery) ? iso(delivery.next_at) : null,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, phases: attempt.phases ?? null, error: errorOf(attempt) })),
  created_at: iso(timeOf(delivery._id.slice('whd_'.length))),
});
