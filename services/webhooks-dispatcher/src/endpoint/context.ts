import type { EventBus } from '@svc/event-bus';
import type { Clock } from '@svc/kernel';
import type { KeyRing, Logger } from '@svc/service';
import type { Resolve } from '../sending/resolve.ts';
import type { Endpoints } from './endpoint.ts';

export interface EndpointContext {
  endpoints: Endpoints;
  bus: Pick<EventBus, 'ends'>;
  clock: Clock;
  logger: Logger;
  /** Encrypts secrets at rest. */
  ring: { encrypt(plain: string): string; decrypt: KeyRing['decrypt'] };
  resolve: Resolve;
  /** Origins that may be called although they are not public https (development). */
  allowed: ReadonlySet<string>;
  publicUrl: string;
}
