import type { WebhookEndpointResource } from '@svc/contracts/webhook/resource';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';
import type { Collection, Doc, Filter, Index } from '@svc/document-store';
import { comesAfter, type EventPosition } from '@svc/event-bus';
import { millisOf } from '@svc/kernel';
import type { Audited, KeyRing } from '@svc/service';
import { disabledAfter, type EndpointState, listensTo, mayReceive } from './domain/endpoint.ts';
import type { EndsByTopic } from './ends.ts';
import type { KeptHeader } from './headers.ts';

export interface Endpoint extends Doc, EndpointState, Partial<Pick<Audited, 'unpublished' | 'due_at'>> {
  version: number;
  /** Counts the changes that are shown; absent: as `version` and `unseen` say (until 0.3: not changed since 0.1.0). */
  revision?: number | undefined;
  account: string;
  env: 'live' | 'test';
  url: string;
  description: string | null;
  metadata: Record<string, string>;
  headers?: KeptHeader[];
  rate_per_second?: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** The command that changed it last, and the one that deleted it: a repeat changes nothing. */
  changed_by?: string;
  /** The command of the last rotation. */
  secret_by?: string;
  deleted_by: string | null;
  /** Once it is deleted or disabled: when its last pending delivery was cancelled. Absent or null: not yet. */
  cleared_at?: string | null;
  /** How many of the writes that `version` counts are not shown: of health, and of the end of cancelling. */
  unseen?: number;
  /** One of the environment's 20 slots, unique: concurrent creations cannot take the same one. Deletion frees it. */
  place: string;
  /** Where the topics ended when it was created. Absent after a restore. */
  ends?: EndsByTopic | undefined;
}

export type Endpoints = Collection<Endpoint>;

export const endpointIndexes: Index[] = [
  { fields: ['due_at'] },
  { fields: ['account', 'env', 'deleted', '_id'] },
  { fields: ['account', 'env', 'place'], unique: true },
  { fields: ['deleted', 'cleared_at', '_id'] },
  { fields: ['deleted_at'], present: 'deleted_at' },
  { fields: ['status', 'cleared_at', '_id'] },
  { fields: ['status', 'deleted', 'failing_since'], present: 'failing_since' },
];

/** The collection of endpoints. Ciphertexts are bound to it by its name. */
export const WEBHOOK_ENDPOINTS = 'webhook_endpoints';

/** `mayReceive` as a filter. */
export const RECEIVING = { status: 'enabled', deleted: false } as const satisfies Filter;

export const MAX_ENDPOINTS = 20;

/** The text of one of its ciphertexts. Throws a `RangeError` where no key decrypts it, or it was moved from another endpoint. */
export const decrypted = ({ _id }: Endpoint, ciphertext: string, ring: Pick<KeyRing, 'decrypt'>): string =>
  ring.decrypt(ciphertext, { collection: WEBHOOK_ENDPOINTS, id: _id }).toString('utf8');

/** What `If-Match` is compared with. */
export const versionOf = ({ revision, version, unseen = 0 }: Endpoint): number => revision ?? version - unseen;

/** A change that no command makes, besides the shown version. */
export const unseen = (endpoint: Endpoint, change: Partial<Endpoint>): Partial<Endpoint> => ({
  ...change,
  unseen: (endpoint.unseen ?? 0) + 1,
});

/** What its deliveries of the last 30 days and its last recovery say. */
export interface Ended {
  last_success_at: string | null;
  /** The last attempt of the newest delivery that has failed. */
  failed: { at: string; error: string | null } | null;
  recovery: WebhookEndpointResource['recovery'];
}

export const NONE_ENDED: Ended = { last_success_at: null, failed: null, recovery: null };

function healthOf({ failing_since: since, failure }: Endpoint, { last_success_at, failed }: Ended): WebhookEndpointResource['health'] {
  const isOlder = since && failed && failed.at < since;
  return {
    status: since ? 'failing' : 'ok',
    failing_since: since ?? null,
    disabled_after: since ? disabledAfter(since) : null,
    last_success_at,
    last_error: (isOlder ? undefined : failed?.error) ?? failure ?? null,
  };
}

/** The endpoint as the API shows it. The responses to its creation and to a rotation add the secret. */
export const endpointResource = (endpoint: Endpoint, ended: Ended): WebhookEndpointResource => ({
  id: endpoint._id,
  object: 'webhook_endpoint',
  livemode: endpoint.env === 'live',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  health: healthOf(endpoint, ended),
  recovery: ended.recovery,
  header_names: (endpoint.headers ?? []).map(({ name }) => name),
  rate_per_second: endpoint.rate_per_second ?? null,
  metadata: endpoint.metadata,
  created_at: endpoint.created_at,
  updated_at: endpoint.updated_at,
  deleted_at: endpoint.deleted_at,
  version: versionOf(endpoint),
});

/** What decides which endpoints receive an event. `at`: its own time, in milliseconds. */
export interface Published {
  type: WebhookEventType;
  at: number;
  topic: string;
  position: EventPosition | undefined;
}

/** Whether an endpoint receives an event: it is enabled, listens to the type, and was created before the event was published. */
export const receives = (endpoint: Endpoint, event: Published): boolean =>
  mayReceive(endpoint) && listensTo(endpoint, event.type) && isAfterCreation(endpoint, event);

/**
 * Compares positions, because the clocks of processes differ and events may be published again. Falls back to times where positions cannot
 * be compared: after a restore, and where a topic was recreated.
 */
const isAfterCreation = ({ ends, created_at }: Endpoint, { topic, position, at }: Published): boolean =>
  comesAfter(ends?.[topic], position) ?? millisOf(created_at) <= at;
