import { type Clock, mayTake, DomainError, shareOf } from '@svc/kernel';

export interface PermitLimits {
  /** Maximum number of permits for one account; `inAll`: for all accounts together. */
  perAccount: number;
  inAll: number;
  /** Maximum bytes that the waiting callers of one account hold, and those of all together (`shareOf`), besides the first caller of each account. */
  waitingPerAccount: number;
  waitingInAll: number;
  /** Maximum waiting time in milliseconds. */
  waitMs: number;
}

/** The client that reads the response of a permit. */
export interface Reader {
  /** How far it is behind the minimum rate, in milliseconds; 0 or less if it is fast enough. */
  behindMs(): number;
  /** Cuts the response, which releases the permit. */
  end(): void;
}

export interface Permit {
  /** Set when sending begins. */
  reader?: Reader;
  /** May be called repeatedly; only the first call counts. */
  release(): void;
}

interface Share {
  held: number;
  /** In the order of their calls. */
  waiting: Set<(permit: Permit) => void>;
  /** Of those. */
  waitingBytes: number;
}

const RETRY_AFTER_S = 5;
const LOOK_MS = 1_000;

export function createPermits(limits: PermitLimits, clock: Pick<Clock, 'after'>) {
  /** Accounts that hold a permit or wait. The account that was served last is at the end. */
  const shares = new Map<string, Share>();
  const held = new Map<Permit, Share>();
  let waitingBytes = 0;
  let stopLooking: (() => void) | undefined;

  const shareFor = (account: string): Share => {
    let share = shares.get(account);
    if (share === undefined) shares.set(account, (share = { held: 0, waiting: new Set(), waitingBytes: 0 }));
    return share;
  };
  const forget = (account: string, share: Share): void => {
    if (share.held === 0 && share.waiting.size === 0) shares.delete(account);
  };
  const mayHaveMore = (share: Share): boolean =>
    share.held < limits.perAccount && mayTake(share.held, held.size - share.held, limits.inAll);

  const mostWaiting = (share: Share): number =>
    Math.min(limits.waitingPerAccount, shareOf(limits.waitingInAll, waitingBytes - share.waitingBytes));

  const grant = (account: string, share: Share): Permit => {
    shares.delete(account);
    shares.set(account, share);
    const permit: Permit = {
      release() {
        if (!held.delete(permit)) return;
        share.held -= 1;
        forget(account, share);
        grantNext();
      },
    };
    held.set(permit, share);
    share.held += 1;
    return permit;
  };

  const grantNext = (): void => {
    for (const [account, share] of shares) {
      const [first] = share.waiting;
      if (first === undefined || !mayHaveMore(share)) continue;
      first(grant(account, share));
      return;
    }
  };

  const slowest = (): Reader | undefined => {
    let found: { reader: Reader; behind: number; held: number } | undefined;
    for (const [{ reader }, share] of held) {
      const behind = reader?.behindMs() ?? 0;
      if (!reader || behind <= 0) continue;
      if (!found || share.held > found.held || (share.held === found.held && behind > found.behind))
        found = { reader, behind, held: share.held };
    }
    return found?.reader;
  };

  const look = (): void => {
    stopLooking = clock.after(LOOK_MS, look);
    if ([...shares.values()].some((share) => share.held === 0)) slowest()?.end();
  };
  const startLooking = (): void => void (stopLooking ??= clock.after(LOOK_MS, look));

  return {
    /**
     * Waits for a permit; `bytes`: what the caller holds meanwhile. Throws `service_unavailable` after `waitMs`, and at once if too much waits, except for an
     * account without a waiting caller. Waiting accounts are served in rotation, however many callers each has. The last permits are reserved for accounts
     * without one (`mayTake`); while such an account waits, one slow client per second is cut, of the account with the most permits.
     */
    take(account: string, bytes: number): Promise<Permit> {
      const share = shareFor(account);
      if (mayHaveMore(share)) return Promise.resolve(grant(account, share));
      if (share.waiting.size > 0 && share.waitingBytes + bytes > mostWaiting(share)) return Promise.reject(tooMany());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          cancel();
          share.waiting.delete(granted);
          share.waitingBytes -= bytes;
          waitingBytes -= bytes;
          if (waitingBytes > 0) return;
          stopLooking?.();
          stopLooking = undefined;
        };
        const granted = (permit: Permit): void => {
          leave();
          resolve(permit);
        };
        const cancel = clock.after(limits.waitMs, () => {
          leave();
          forget(account, share);
          reject(tooMany());
        });
        share.waiting.add(granted);
        share.waitingBytes += bytes;
        waitingBytes += bytes;
        startLooking();
      });
    },
  };
}

export type Permits = ReturnType<typeof createPermits>;

const tooMany = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many lists, large requests or large answers of this account or of all accounts are under way. Nothing was done; send fewer at once, ask for smaller pages (per_page), and repeat the request.',
    undefined,
    RETRY_AFTER_S,
  );
