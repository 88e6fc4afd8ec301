import type { EventBus } from '@svc/event-bus';
import type { Clock } from '@svc/kernel';
import type { KeyRing, Logger } from '@svc/service';
import type { Deliveries } from './delivery/delivery.ts';
import type { Endpoints } from './endpoint/endpoint.ts';
import type { EventBodies } from './event/bodies.ts';
import type { Events } from './event/event.ts';
import type { Followers } from './event/followers.ts';
import type { Resolve } from './sending/resolve.ts';

export const WEBHOOKS = Symbol('webhooks');

/** The dependencies and settings that all parts of this service use. */
export interface WebhooksContext {
  endpoints: Endpoints;
  events: Events;
  bodies: EventBodies;
  followers: Followers;
  deliveries: Deliveries;
  bus: Pick<EventBus, 'ends'>;
  clock: Clock;
  logger: Logger;
  /** Encrypts secrets at rest. */
  ring: { encrypt(plain: string): string; decrypt: KeyRing['decrypt'] };
  resolve: Resolve;
  /** Origins that may be called although they are not public https (development). */
  allowed: ReadonlySet<string>;
  /** Milliseconds before retries 1 to 5. */
  delays: readonly number[];
  publicUrl: string;
  /** How often to poll for deliveries that other replicas wrote, in milliseconds. */
  lookEvery: number;
  /** No other process has these deliveries, and what is written in one turn is one transaction. Default: several may. */
  alone?: boolean | undefined;
}
