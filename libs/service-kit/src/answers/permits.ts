import { type Clock, Refusal } from '@svc/kernel';

export interface PermitLimits {
  /** Permits that one account may hold, and all together. */
  perAccount: number;
  inAll: number;
  /** Callers of one account that may wait for a permit, and of all together. */
  waitingPerAccount: number;
  waitingInAll: number;
  /** How long each waits at most, in milliseconds. */
  waitMs: number;
}

export interface Permits {
  /**
   * Resolves with what gives the permit back, once there is one; throws `service_unavailable` after `waitMs`, and at once where too many
   * wait already. Accounts that wait are served in turn, however many callers each has.
   */
  take(account: string): Promise<() => void>;
}

interface Share {
  held: number;
  /** In the order in which they came. */
  waiting: Set<(release: () => void) => void>;
}

const RETRY_AFTER_S = 5;

export function createPermits(limits: PermitLimits, clock: Pick<Clock, 'after'>): Permits {
  /** Accounts that hold a permit or wait; who was served last comes last. */
  const shares = new Map<string, Share>();
  let held = 0;
  let waiting = 0;

  const shareOf = (account: string): Share => {
    let share = shares.get(account);
    if (share === undefined) shares.set(account, (share = { held: 0, waiting: new Set() }));
    return share;
  };
  const forget = (account: string, share: Share): void => {
    if (share.held === 0 && share.waiting.size === 0) shares.delete(account);
  };

  const permit = (account: string, share: Share): (() => void) => {
    shares.delete(account);
    shares.set(account, share);
    share.held += 1;
    held += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      share.held -= 1;
      held -= 1;
      forget(account, share);
      grantNext();
    };
  };

  const grantNext = (): void => {
    for (const [account, share] of shares) {
      if (held >= limits.inAll) return;
      const [first] = share.waiting;
      if (first === undefined || share.held >= limits.perAccount) continue;
      first(permit(account, share));
      return;
    }
  };

  return {
    take(account) {
      const share = shareOf(account);
      if (held < limits.inAll && share.held < limits.perAccount) return Promise.resolve(permit(account, share));
      if (share.waiting.size >= limits.waitingPerAccount || waiting >= limits.waitingInAll) {
        forget(account, share);
        return Promise.reject(tooMany());
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          cancel();
          share.waiting.delete(granted);
          waiting -= 1;
        };
        const granted = (release: () => void): void => {
          leave();
          resolve(release);
        };
        const cancel = clock.after(limits.waitMs, () => {
          leave();
          forget(account, share);
          reject(tooMany());
        });
        share.waiting.add(granted);
        waiting += 1;
      });
    },
  };
}

const tooMany = (): Refusal =>
  new Refusal(
    'service_unavailable',
    'Too many large answers are under way. Ask for fewer at once or for smaller pages (per_page), and repeat the request.',
    undefined,
    RETRY_AFTER_S,
  );
