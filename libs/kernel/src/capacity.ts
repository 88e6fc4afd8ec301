import { shareOf } from './shares.ts';

export interface CapacityLimits {
  /** Units that one account may hold, and all together. */
  perAccount: number;
  inAll: number;
}

/** What accounts share and no request queues for, in units: bytes, places. */
export interface Capacity {
  /** Returns what releases the units, to be called once; undefined: there are not enough. An account without any may have as many as are left. */
  reserve(account: string, units: number): (() => void) | undefined;
}

export function createCapacity({ perAccount, inAll }: CapacityLimits): Capacity {
  const held = new Map<string, number>();
  let total = 0;
  return {
    reserve(account, units) {
      const own = held.get(account) ?? 0;
      const most = own === 0 ? inAll - total : Math.min(perAccount, shareOf(inAll, total - own)) - own;
      if (units > most) return undefined;
      held.set(account, own + units);
      total += units;
      return () => {
        const left = (held.get(account) ?? 0) - units;
        if (left > 0) held.set(account, left);
        else held.delete(account);
        total -= units;
      };
    },
  };
}
