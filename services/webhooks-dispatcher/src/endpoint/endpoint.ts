import type { WebhookEndpointResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Doc, Index } from '@svc/document-store';
import { comesAfter, type EventPosition } from '@svc/event-bus';
import { millisOf } from '@svc/kernel';
import type { KeyRing } from '@svc/service';
import type { EndsByTopic } from './ends.ts';

export interface Endpoint extends Doc {
  account: string;
  env: 'live' | 'test';
  url: string;
  /** Event types, or `*` alone. */
  events: (WebhookEventType | '*')[];
  description: string | null;
  metadata: Record<string, string>;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  /** The signing secret, encrypted under SECRETS_KEY. */
  secret: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  deleted: boolean;
  /** The command that deleted it. */
  deleted_by: string | null;
  /** Once it is deleted: when its last pending delivery was cancelled. Absent or null: not yet. */
  cleared_at?: string | null;
  /** One of the environment's 20 slots, unique: concurrent creations cannot take the same one. Deletion frees it. */
  place: string;
  /** Where the topics ended when it was created. Absent after a restore. */
  ends?: EndsByTopic | undefined;
}

export type Endpoints = Collection<Endpoint>;

export const endpointIndexes: Index[] = [
  { fields: ['account', 'env', 'deleted', '_id'] },
  { fields: ['account', 'env', 'place'], unique: true },
  { fields: ['deleted', 'cleared_at', '_id'] },
];

/** The collection of endpoints. Ciphertexts are bound to it by its name. */
export const WEBHOOK_ENDPOINTS = 'webhook_endpoints';

export const MAX_ENDPOINTS = 20;

/** The signing secret. Throws a `RangeError` where no key decrypts it, or it was moved from another endpoint. */
export const secretOf = (endpoint: Endpoint, ring: Pick<KeyRing, 'decrypt'>): string =>
  ring.decrypt(endpoint.secret, { collection: WEBHOOK_ENDPOINTS, id: endpoint._id }).toString('utf8');

/** The endpoint as the API shows it. Only the response to its creation adds the secret. */
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

/** What decides which endpoints receive an event. `at`: its own time, in milliseconds. */
export interface Published {
  type: WebhookEventType;
  at: number;
  topic: string;
  position: EventPosition | undefined;
}

/** Whether an endpoint receives an event: it is enabled, listens to the type, and was created before the event was published. */
export const listensTo = (endpoint: Endpoint, event: Published): boolean =>
  endpoint.status === 'enabled' &&
  !endpoint.deleted &&
  (endpoint.events.includes('*') || endpoint.events.includes(event.type)) &&
  isAfterCreation(endpoint, event);

/**
 * Compares positions, because the clocks of processes differ and events may be published again. Falls back to times where positions cannot
 * be compared: after a restore, and where a topic was recreated.
 */
const isAfterCreation = ({ ends, created_at }: Endpoint, { topic, position, at }: Published): boolean =>
  comesAfter(ends?.[topic], position) ?? millisOf(created_at) <= at;
