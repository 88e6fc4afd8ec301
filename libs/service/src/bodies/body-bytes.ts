import { shareOf } from '@svc/kernel';

export interface BodyByteLimits {
  /** Bytes of bodies that wait, of one account and of all together. */
  waitingPerAccount: number;
  waitingInAll: number;
}

/** Counts the bytes of bodies that are received and wait. */
export interface BodyBytes {
  /** Returns what releases them, to be called once; undefined: too many wait. An account without any may have one body while there is capacity. */
  reserve(account: string, bytes: number): (() => void) | undefined;
}

export function createBodyBytes({ waitingPerAccount, waitingInAll }: BodyByteLimits): BodyBytes {
  const held = new Map<string, number>();
  let total = 0;
  return {
    reserve(account, bytes) {
      const own = held.get(account) ?? 0;
      const most = own === 0 ? waitingInAll - total : Math.min(waitingPerAccount, shareOf(waitingInAll, total - own)) - own;
      if (bytes > most) return undefined;
      held.set(account, own + bytes);
      total += bytes;
      return () => {
        const left = (held.get(account) ?? 0) - bytes;
        if (left > 0) held.set(account, left);
        else held.delete(account);
        total -= bytes;
      };
    },
  };
}
