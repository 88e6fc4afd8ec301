/**
 * The most that one holder may have of `limit` while the others have `others`: four fifths of what they leave of seven eighths. A single
 * holder gets 70 %; n holders that all want more converge to nearly 7/8 ÷ n each. A new holder gets a share at once, without a revocation.
 */
export const shareOf = (limit: number, others: number): number => Math.max(0, Math.floor((limit * 7) / 10 - (others * 4) / 5));

/** Whether a holder may take one more. The last eighth is reserved for holders that have none. */
export const mayTake = (own: number, others: number, limit: number): boolean => (own === 0 ? others < limit : own < shareOf(limit, others));

export interface CapacityLimits {
  /** Units that one account may hold, and all together. */
  perAccount: number;
  inAll: number;
}

/** What accounts share and no request queues for, in units: bytes, places. */
export function createCapacity({ perAccount, inAll }: CapacityLimits) {
  const held = new Map<string, number>();
  let total = 0;
  return {
    /** Returns what releases the units, to be called once; undefined: there are not enough. An account without any may have as many as are left. */
    reserve(account: string, units: number): (() => void) | undefined {
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

export type Capacity = ReturnType<typeof createCapacity>;
