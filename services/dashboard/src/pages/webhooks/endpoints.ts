import { createFresh } from '../../api/fresh.ts';
import type { Environment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Endpoint = Resource<'WebhookEndpoint'>;
export type EventName = Resource<'EventName'>;

export const endpointsAddress = '/app/webhooks';
export const endpointAddress = (id: string): string => `${endpointsAddress}/${id}`;
export const deliveryAddress = (endpoint: string, id: string): string => `${endpointAddress(endpoint)}/deliveries/${id}`;

/** Begins the key of every query of endpoints of an environment. */
export const endpointsKey = (env: Environment): readonly string[] => [env, 'webhooks'];
export const endpointKey = (env: Environment, id: string): readonly string[] => [...endpointsKey(env), id];

/** The events that an endpoint may ask for, by what they are of. */
export const eventGroups: readonly { subject: string; events: readonly EventName[] }[] = [
  { subject: 'invoices', events: ['invoice.created', 'invoice.updated', 'invoice.submitted', 'invoice.failed', 'invoice.voided'] },
  { subject: 'receipts', events: ['receipt.created', 'receipt.voided'] },
  { subject: 'customers', events: ['customer.created', 'customer.updated', 'customer.deleted'] },
];
export const eventNames: readonly EventName[] = eventGroups.flatMap(({ events }) => events);

/** How an endpoint fares, in one word. */
export type Health = 'ok' | 'failing' | 'disabled' | 'new';

export function healthOf({ status, health }: Endpoint): Health {
  if (status === 'disabled') return 'disabled';
  if (health.status === 'failing') return 'failing';
  return health.last_success_at === null ? 'new' : 'ok';
}

export const healthTones: Record<Health, Tone> = { ok: 'good', failing: 'bad', disabled: 'bad', new: 'info' };

const deliveryTones: Record<string, Tone> = { pending: 'info', succeeded: 'good', failed: 'bad' };
export const toneOf = (status: string): Tone => deliveryTones[status] ?? 'calm';

/** The secret of an endpoint that was made just now. */
export const freshSecrets = createFresh();
