import type { Clock } from '@svc/kernel';

const MINUTE_MS = 60_000;
/** Processor time of an account in a minute. */
const MOST_MS = 1_000;

/**
 * What the receivers of each account have cost in this minute. Holds only accounts that are charged: so few that they have used up the
 * processor before they fill the memory.
 */
export function createCosts(clock: Pick<Clock, 'now'>) {
  const spent = new Map<string, number>();
  let began = 0;

  const ofThisMinute = (): Map<string, number> => {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    if (minute !== began) spent.clear();
    began = minute;
    return spent;
  };

  return {
    /** `ms`: processor time; negative: what is free of charge. */
    charge(account: string, ms: number): void {
      const sum = (ofThisMinute().get(account) ?? 0) + ms;
      if (sum > 0) spent.set(account, sum);
      else spent.delete(account);
    },
    /** Whether the account has used up this minute. */
    areTooHigh: (account: string): boolean => (ofThisMinute().get(account) ?? 0) > MOST_MS,
  };
}

export type Costs = ReturnType<typeof createCosts>;
