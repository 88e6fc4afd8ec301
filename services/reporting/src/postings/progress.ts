import type { EventBus } from '@svc/event-bus';
import type { Clock, Env } from '@svc/kernel';
import { GROUP } from './posting.ts';

interface Tenant {
  account: string;
  env: Env;
}

/** How far events have been read. */
export interface Progress {
  /** A time until which everything has been read, in milliseconds since 1970. */
  until(): Promise<number>;
  /**
   * Whether what happened before this process began has been read: false while postings are built anew. Where the bus stores nothing, what was acknowledged
   * before the call has been read then.
   */
  isBuilt(): Promise<boolean>;
  /** The `time` of the tenant's oldest event that is a dead letter of the group; undefined: there is none. */
  oldestDeadLetter(tenant: Tenant): Promise<string | undefined>;
}

export function createProgress(bus: Pick<EventBus, 'readUntil' | 'deadLetters'>, clock: Pick<Clock, 'now'>): Progress {
  const since = clock.now();
  let latest = -Infinity;
  const until = async (): Promise<number> => (latest = Math.max(latest, await bus.readUntil(GROUP)));
  return {
    until,
    isBuilt: async () => (await until()) >= since,
    oldestDeadLetter: (tenant) => bus.deadLetters.oldestOf(GROUP, tenant),
  };
}
