import type { Collection, Doc, Index } from '@svc/documents';
import { millisOf } from '@svc/kernel';

export interface Endpoint extends Doc {
  account: string;
  env: 'live' | 'test';
  url: string;
  /** Names of event types, or `*` alone. */
  events: string[];
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
  /** One of the environment's 20 places, unique: two creations at once cannot take one place both. A deleted endpoint has given it up. */
  place: string;
}

export type Endpoints = Collection<Endpoint>;

export const endpointIndexes: Index[] = [
  { fields: ['account', 'env', 'deleted', '_id'] },
  { fields: ['account', 'env', 'place'], unique: true },
];

export const PLACES = 20;

/** The endpoint as the API shows it; the secret is added by the answer of creation alone. */
export const endpointResource = (endpoint: Endpoint) => ({
  id: endpoint._id,
  object: 'webhook_endpoint' as const,
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

/**
 * An endpoint is told what happened since it was made: the history, published once more or late, is not news to it. By the clocks of the
 * processes, which are to agree within the time that a caller needs from one request to the next.
 */
export const listensTo = (endpoint: Endpoint, { type, at }: { type: string; at: number }): boolean =>
  endpoint.status === 'enabled' &&
  !endpoint.deleted &&
  millisOf(endpoint.created_at) <= at &&
  (endpoint.events.includes('*') || endpoint.events.includes(type));
