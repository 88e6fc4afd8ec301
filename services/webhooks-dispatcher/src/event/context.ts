import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { EventBodies } from './bodies.ts';
import type { Events } from './event.ts';
import type { Followers } from './followers.ts';

/** What reads of events work with. */
export interface EventContext {
  events: Events;
  bodies: EventBodies;
  followers: Followers;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
}
