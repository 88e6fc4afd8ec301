import { type Clock, mayTake, DomainError } from '@svc/kernel';

export interface PermitLimits {
  /** Permits that one account may hold, and all together. */
  perAccount: number;
  inAll: number;
  /** Callers of one account that may wait for a permit, and of all together, besides the first of each account. */
  waitingPerAccount: number;
  waitingInAll: number;
  /** How long each waits at most, in milliseconds. */
  waitMs: number;
}

/** Who takes what a permit stands for. */
export interface Reader {
  /** By how much it is slower than it may be while others wait, in milliseconds; 0 or less where it is not. */
  behindMs(): number;
  /** Ends the answer, which gives the permit back. */
  end(): void;
}

export interface Permit {
  /** Set once the answer is sent. */
  reader?: Reader;
  /** Counts once. */
  release(): void;
}

export interface Permits {
  /**
   * Resolves once there is a permit; throws `service_unavailable` after `waitMs`, and at once where too many wait already, but never for an
   * account of which none waits. Accounts that wait are served in turn, however many callers each has; the last permits are for those
   * that hold none (`mayTake`). While such an account waits, readers that are behind are ended: one a second, of the account that holds most.
   */
  take(account: string): Promise<Permit>;
}

interface Share {
  held: number;
  /** In the order in which they came. */
  waiting: Set<(permit: Permit) => void>;
}

const RETRY_AFTER_S = 5;
const LOOK_MS = 1_000;

export function createPermits(limits: PermitLimits, clock: Pick<Clock, 'after'>): Permits {
  /** Accounts that hold a permit or wait; who was served last comes last. */
  const shares = new Map<string, Share>();
  const held = new Map<Permit, Share>();
  let waiting = 0;
  let stopLooking: (() => void) | undefined;

  const shareOf = (account: string): Share => {
    let share = shares.get(account);
    if (share === undefined) shares.set(account, (share = { held: 0, waiting: new Set() }));
    return share;
  };
  const forget = (account: string, share: Share): void => {
    if (share.held === 0 && share.waiting.size === 0) shares.delete(account);
  };
  const mayHaveMore = (share: Share): boolean =>
    share.held < limits.perAccount && mayTake(share.held, held.size - share.held, limits.inAll);

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
    take(account) {
      const share = shareOf(account);
      if (mayHaveMore(share)) return Promise.resolve(grant(account, share));
      const isFull = share.waiting.size >= limits.waitingPerAccount || (share.waiting.size > 0 && waiting >= limits.waitingInAll);
      if (isFull) return Promise.reject(tooMany());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          cancel();
          share.waiting.delete(granted);
          waiting -= 1;
          if (waiting > 0) return;
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
        waiting += 1;
        startLooking();
      });
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many large answers are under way. Ask for fewer at once or for smaller pages (per_page), and repeat the request.',
    undefined,
    RETRY_AFTER_S,
  );
