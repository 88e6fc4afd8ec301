import type { Clock } from '@svc/kernel';

const MINUTE_MS = 60_000;
/** Processor time of an account in a minute. */
const MOST_MS = 1_000;

/**
 * What the TLS handshakes of each account have cost in this minute. Holds only accounts that were charged: so few that they have used up the
 * processor before they fill the memory.
 */
export function createHandshakes(clock: Pick<Clock, 'now'>) {
  const spent = new Map<string, number>();
  let began = 0;

  const ofThisMinute = (): Map<string, number> => {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    if (minute !== began) spent.clear();
    began = minute;
    return spent;
  };

  return {
    /** `ms`: processor time. */
    charge(account: string, ms: number): void {
      if (ms > 0) ofThisMinute().set(account, (spent.get(account) ?? 0) + ms);
    },
    /** Whether the account makes no handshakes for the rest of the minute. */
    areTooCostly: (account: string): boolean => (ofThisMinute().get(account) ?? 0) > MOST_MS,
  };
}

export type Handshakes = ReturnType<typeof createHandshakes>;
