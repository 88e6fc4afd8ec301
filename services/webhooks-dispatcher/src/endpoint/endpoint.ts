import type { WebhookEndpointResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Doc, Index } from '@svc/document-store';
import { comesAfter, type EventPosition } from '@svc/event-bus';
import { millisOf } from '@svc/kernel';
import type { EndsByTopic } from './ends.ts';

export interface Endpoint extends Doc {
  account: string;
  env: 'live' | 'test';
  url: string;
  /** Names of event types, or `*` alone. */
  events: (WebhookEventType | '*')[];
  description: string | null;
  metadata: Record<string, string>;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  /** The signing secret, sealed under SECRETS_KEY. */
  secret: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  deleted: boolean;
  /** The command that deleted it. */
  deleted_by: string | null;
  /** When nothing was left to cancel of what was to be delivered to it. Deleted by an earlier release, it has none until that is looked up. */
  cleared_at?: string | null;
  /** One of the environment's 20 places, unique: two creations at once cannot take one place both. A deleted endpoint has given it up. */
  place: string;
  /** Where the topics ended when it was made. Endpoints of older releases have none. */
  ends?: EndsByTopic;
}

export type Endpoints = Collection<Endpoint>;

export const endpointIndexes: Index[] = [
  { fields: ['account', 'env', 'deleted', '_id'] },
  { fields: ['account', 'env', 'place'], unique: true },
  { fields: ['deleted', 'cleared_at', '_id'] },
];

export const MAX_ENDPOINTS = 20;

/** The endpoint as the API shows it; the secret is added by the answer of creation alone. */
export const endpointResource = (endpoint: Endpoint): WebhookEndpointResource => ({
  id: endpoint._id,
  object: 'webhook_endpoint',
  livemode: endpoint.env === 'live',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  metadata: endpoint.metadata,
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at,
  deleted_at: endpoint.deleted_at,
  version: endpoint.version,
});

/** What decides who is told of an event. `at`: its own time, in milliseconds. */
export interface Published {
  type: WebhookEventType;
  at: number;
  topic: string;
  position: EventPosition | undefined;
}

/** Whether an endpoint is to be told of an event: it is enabled, listens to the type, and the event came after it was made. */
export const listensTo = (endpoint: Endpoint, event: Published): boolean =>
  endpoint.status === 'enabled' &&
  !endpoint.deleted &&
  (endpoint.events.includes('*') || endpoint.events.includes(event.type)) &&
  isAfterCreation(endpoint, event);

/**
 * By the event's position: clocks of processes may differ, and the history may be published once more. Where positions do not tell, by
 * time: endpoints of older releases have no ends, and a topic may have been created anew.
 */
const isAfterCreation = ({ ends, created_at }: Endpoint, { topic, position, at }: Published): boolean =>
  comesAfter(ends?.[topic], position) ?? millisOf(created_at) <= at;
