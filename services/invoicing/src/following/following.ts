import type { FollowerOptions, LeasedFollowerOptions } from '@svc/event-store';
import type { Logger } from '@svc/service';

/** What every follower of this process shares: the store, checkpoints, leases, clock. */
export interface FollowingContext extends Omit<LeasedFollowerOptions, 'name' | 'handle' | 'logger'> {
  logger: Logger;
}

export type Handle = FollowerOptions['handle'];
