import type { EventBus, ReadUntil } from '@svc/event-bus';
import { iso, type Clock, type Env } from '@svc/kernel';
import { GROUP } from './posting.ts';

interface Tenant {
  account: string;
  env: Env;
}

/** How far events have been read. */
export interface Progress {
  /** A time until which everything that was stored has been read, but for what `oldestWaiting` names; in milliseconds since 1970. */
  until(): Promise<number>;
  /**
   * Whether what was published before this process began has been read, and all of the history is among it: false while postings are built anew, true before
   * anything was published. Where the bus stores nothing, what was acknowledged before the call has been read then.
   */
  isBuilt(): Promise<boolean>;
  /** The time, ISO 8601, of the tenant's oldest event that its publisher could not publish or this group could not handle; undefined: there is none. */
  oldestWaiting(tenant: Tenant): Promise<string | undefined>;
}

export function createProgress(bus: Pick<EventBus, 'readUntil' | 'deadLetters'>, clock: Pick<Clock, 'now'>): Progress {
  const since = clock.now();
  let latest: ReadUntil = { published: -Infinity, stored: -Infinity, putAside: {}, empty: false };
  /** Nothing was published when this process was first up to date: it has read each event since, from the first one on. */
  let isFromFirst = false;
  const read = async (): Promise<ReadUntil> => {
    const now = await bus.readUntil(GROUP);
    isFromFirst ||= now.empty && now.published >= since;
    const published = Math.max(latest.published, now.published);
    latest = now.stored >= latest.stored ? { ...now, published } : { ...latest, published };
    return latest;
  };
  return {
    until: async () => (await read()).stored,
    async isBuilt() {
      const { published, stored } = await read();
      return published >= since && (stored > -Infinity || isFromFirst);
    },
    async oldestWaiting({ account, env }) {
      const dead = await bus.deadLetters.oldestOf(GROUP, { account, env });
      const aside = latest.putAside[`${env}.${account}`];
      if (aside === undefined) return dead;
      return dead === undefined || iso(aside) < dead ? iso(aside) : dead;
    },
  };
}
