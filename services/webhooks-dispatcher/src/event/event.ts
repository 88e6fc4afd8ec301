import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { EventResource } from '@svc/contracts/webhook/event';
import { webhookEventTypes, type WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { EventPosition } from '@svc/event-bus';
import { jsonText, millisOf } from '@svc/kernel';

const byName = new Map<string, WebhookEventType>(webhookEventTypes.map((type) => [`invoicing.${type.replace('.', '-')}.v1`, type]));

/** The webhook event type of a public event; undefined for events that are not sent to subscribers. */
export const webhookType = (publicType: string): WebhookEventType | undefined => byName.get(publicType);

interface Row extends Doc {
  account: string;
  env: 'live' | 'test';
  type: WebhookEventType;
  resource_id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The customer whose personal data the body holds, so that erasure finds it; null when it holds none. */
  subject: string | null;
  /** Position of its first publication, in decimal text. Absent where it came without one. */
  position?: { part: string; at: string };
  /** Place in the log of its account and environment, from 1 (log.ts). until 0.3: rows of release 0.1.0 have none, until they get one. */
  log_position?: number;
  /** Milliseconds since 1970. Only of an event that was stored when it was older than events are kept: it stays for a while from then on. */
  stored_at?: number;
}

/** The events of an account in an environment: one log. */
export type Tenant = Pick<Row, 'account' | 'env'>;

/** An event with the text that subscribers receive: every attempt sends the same bytes. */
export interface StoredEvent extends Row {
  body: string;
  traceparent?: string;
}

/** An event without its text, which can be made again (bodies.ts). It has no delivery. */
export interface EventReference extends Row {
  /** 0, so that a put of the stored event replaces it, and never a stored event. */
  version: 0;
  sequence: number;
}

export type EventRow = StoredEvent | EventReference;
export type Events = Collection<EventRow>;

export const isStored = (row: EventRow): row is StoredEvent => 'body' in row;

export const eventIndexes: Index[] = [
  { fields: ['account', 'env', 'type', 'log_position'] },
  { fields: ['account', 'env', 'resource_id', 'log_position', '_id'] },
  { fields: ['account', 'env', 'at', '_id'] },
  { fields: ['account', 'env', 'log_position'], unique: true },
  { fields: ['subject'], present: 'subject' },
];

/** The highest position of a log; 0: it is empty. */
export const lastPosition = async (events: Pick<Events, 'highest'>, { account, env }: Tenant): Promise<number> =>
  (await events.highest('log_position', { account, env, log_position: { $gt: 0 } })) ?? 0;

/** A public event that subscribers receive, and its position if it has one. */
export interface WebhookEvent {
  event: PublicEvent;
  type: WebhookEventType;
  position?: EventPosition | undefined;
}

/** The event as the API shows it. */
export const eventResource = (one: WebhookEvent): EventResource => ({ ...headOf(one), data: one.event.data as EventResource['data'] });

export const storedEvent = (one: WebhookEvent): StoredEvent => ({
  ...rowOf(one),
  version: 2, // until 0.3: above a row that release 0.1.0 stores meanwhile, which has version 1 and no position
  subject: one.type.startsWith('customer.') ? one.event.subject : null,
  body: bodyOf(one),
  ...(one.event.traceparent ? { traceparent: one.event.traceparent } : {}),
});

export const eventReference = (one: WebhookEvent): EventReference => ({
  ...rowOf(one),
  version: 0,
  subject: null,
  sequence: one.event.sequence,
});

/** The JSON of `eventResource`, around the text that the resource has already. */
const bodyOf = (one: WebhookEvent): string => `${JSON.stringify(headOf(one)).slice(0, -1)},"data":${jsonText(one.event.data)}}`;

const headOf = ({ event, type }: WebhookEvent): Omit<EventResource, 'data'> => ({
  id: event.id,
  object: 'event',
  type,
  created_at: event.time,
  livemode: event.env === 'live',
  sequence: event.sequence,
});

const rowOf = ({ event, type, position }: WebhookEvent) => ({
  _id: event.id,
  account: event.account,
  env: event.env,
  type,
  resource_id: event.subject,
  at: millisOf(event.time),
  ...(position ? { position: { part: position.part, at: `${position.at}` } } : {}),
});
