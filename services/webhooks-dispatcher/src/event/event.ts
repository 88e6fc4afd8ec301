import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { EventResource } from '@svc/contracts/webhook/event';
import { webhookEventTypes, type WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { EventPosition } from '@svc/event-bus';
import { jsonText, millisOf, parseExact, withField } from '@svc/kernel';

const byName = new Map<string, WebhookEventType>(webhookEventTypes.map((type) => [`invoicing.${type.replace('.', '-')}.v1`, type]));

/** The webhook event type of a public event; undefined for events that are not sent to subscribers. */
export const webhookType = (publicType: string): WebhookEventType | undefined => byName.get(publicType);

/** A webhook event, stored as the text that subscribers receive: every attempt sends the same bytes. */
export interface EventRow extends Doc {
  account: string;
  env: 'live' | 'test';
  type: WebhookEventType;
  resource_id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The customer whose personal data the body holds, so that erasure finds it; null when it holds none. */
  subject: string | null;
  body: string;
  traceparent?: string;
  /** Position of its first publication, in decimal text. Rows of older releases have none. */
  position?: { part: string; at: string };
}

export type Events = Collection<EventRow>;

export const eventIndexes: Index[] = [
  { fields: ['account', 'env', '_id'] },
  { fields: ['account', 'env', 'type', '_id'] },
  { fields: ['account', 'env', 'resource_id', '_id'] },
  { fields: ['account', 'env', 'at'] },
  { fields: ['subject'] },
];

export function eventRow(event: PublicEvent, type: WebhookEventType, position?: EventPosition): EventRow {
  const head: Omit<EventResource, 'data'> = {
    id: event.id,
    object: 'event',
    type,
    created_at: event.time,
    livemode: event.env === 'live',
    sequence: event.sequence,
  };
  return {
    _id: event.id,
    version: 1,
    account: event.account,
    env: event.env,
    type,
    resource_id: event.subject,
    at: millisOf(event.time),
    subject: type.startsWith('customer.') ? event.subject : null,
    body: withField(head, 'data', jsonText(event.data)),
    ...(event.traceparent ? { traceparent: event.traceparent } : {}),
    ...(position ? { position: { part: position.part, at: `${position.at}` } } : {}),
  };
}

export const eventResource = ({ body }: EventRow): EventResource => parseExact(body) as EventResource;
