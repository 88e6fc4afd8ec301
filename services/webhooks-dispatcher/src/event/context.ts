import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { EventBodies } from './bodies.ts';
import type { Events } from './event.ts';
import type { EventWaiters } from './event-waiters.ts';
import type { HandledPositions } from './handled.ts';

/** What reads of events work with. */
export interface EventContext {
  events: Events;
  handled: HandledPositions;
  /** How long events and ended deliveries are kept, in days. */
  keepDays: number;
  bodies: EventBodies;
  waiters: EventWaiters;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
}
