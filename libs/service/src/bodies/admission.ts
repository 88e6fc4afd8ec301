import { type Clock, createCapacity } from '@svc/kernel';

export interface AdmissionLimits {
  /** Bytes of bodies that are received or wait, of one account and of all together. */
  waitingPerAccount: number;
  waitingInAll: number;
  /** Maximum time in which a body waits to be received, and then for its turn, in milliseconds. */
  waitMs: number;
  /** Time for an upload before its rate counts, in milliseconds. */
  graceMs: number;
  /** Minimum rate of an upload while other accounts wait, in bytes per second. */
  leastRate: number;
}

/** A body that is to be received. */
export interface Upload {
  account: string;
  bytes: number;
  /** Its bytes so far. */
  received(): number;
  /** It may be received: `arrived` is called when it is, `release` when its bytes are not held any more, in both cases once. */
  go(held: Held): void;
  /** It may not: too many bytes are held, or it is too slow while others wait. What it holds is released. */
  refuse(): void;
}

export interface Held {
  arrived(): void;
  release(): void;
}

interface Share {
  held: number;
  /** In the order of their calls, with what stops their clocks. */
  waiting: Map<Upload, () => void>;
  waitingBytes: number;
}

interface Receiving {
  upload: Upload;
  share: Share;
  since: number;
  release: () => void;
}

const LOOK_MS = 100;

/**
 * Bodies are received while the bytes that are announced are within the limits; others wait, for accounts in rotation, without being read. An account that holds and waits for
 * more than its limit is refused at once. While an account waits, uploads below the minimum rate are refused of the one that holds the most, if that is more than
 * the waiting account would hold: announced bytes that do not come hold up no other account.
 */
export function createAdmission(limits: AdmissionLimits, clock: Pick<Clock, 'now' | 'after'>) {
  const capacity = createCapacity({ perAccount: limits.waitingPerAccount, inAll: limits.waitingInAll });
  /** Accounts that hold bytes or wait. The account that was served last is at the end. */
  const shares = new Map<string, Share>();
  const receiving = new Set<Receiving>();
  let waiting = 0;
  let isLooking = false;

  const shareOfAccount = (account: string): Share => {
    let share = shares.get(account);
    if (share === undefined) shares.set(account, (share = { held: 0, waiting: new Map(), waitingBytes: 0 }));
    return share;
  };
  const forget = (account: string, share: Share): void => {
    if (share.held === 0 && share.waiting.size === 0) shares.delete(account);
  };
  const stopWaiting = (share: Share, upload: Upload): void => {
    share.waiting.get(upload)?.();
    share.waiting.delete(upload);
    share.waitingBytes -= upload.bytes;
    waiting -= 1;
  };

  /** Returns whether it may be received. */
  const receive = (share: Share, upload: Upload): boolean => {
    const { account, bytes } = upload;
    const free = capacity.reserve(account, bytes);
    if (free === undefined) return false;
    if (share.waiting.has(upload)) stopWaiting(share, upload);
    share.held += bytes;
    shares.delete(account);
    shares.set(account, share);
    const release = (): void => {
      receiving.delete(one);
      free();
      share.held -= bytes;
      forget(account, share);
      serveWaiting();
    };
    const one: Receiving = { upload, share, since: clock.now(), release };
    receiving.add(one);
    upload.go({ arrived: () => void receiving.delete(one), release });
    return true;
  };

  const serveWaiting = (): void => {
    if (waiting === 0) return;
    for (let isServed = true; isServed;) {
      isServed = false;
      for (const share of [...shares.values()]) {
        const [first] = share.waiting.keys();
        if (first !== undefined && receive(share, first)) isServed = true;
      }
    }
  };

  const behindMs = ({ upload, since }: Receiving): number =>
    clock.now() - since - limits.graceMs - (upload.received() / limits.leastRate) * 1_000;

  /** The slowest that is too slow, of the account that holds the most, which is more than `most`. */
  const slowestBeyond = (most: number): Receiving | undefined => {
    let found: Receiving | undefined;
    for (const one of receiving) {
      if (one.share.held <= most || (found && one.share.held < found.share.held)) continue;
      const behind = behindMs(one);
      if (behind > 0 && (!found || one.share.held > found.share.held || behind > behindMs(found))) found = one;
    }
    return found;
  };

  const makeWayFor = (share: Share): void => {
    for (let [first] = share.waiting.keys(); first !== undefined; [first] = share.waiting.keys()) {
      const slow = slowestBeyond(share.held + first.bytes);
      if (slow === undefined) return;
      slow.release();
      slow.upload.refuse();
    }
  };

  const look = (): void => {
    for (const share of [...shares.values()]) makeWayFor(share);
    isLooking = waiting > 0;
    if (isLooking) clock.after(LOOK_MS, look);
  };

  return {
    /** Calls `go`, at once or later, or `refuse`. Returns what ends waiting, without a call. */
    enter(upload: Upload): () => void {
      const { account, bytes } = upload;
      const share = shareOfAccount(account);
      if (share.waiting.size === 0 && receive(share, upload)) return () => undefined;
      if (share.held + share.waitingBytes + bytes > limits.waitingPerAccount) {
        forget(account, share);
        upload.refuse();
        return () => undefined;
      }
      const leave = (): void => {
        if (!share.waiting.has(upload)) return;
        stopWaiting(share, upload);
        forget(account, share);
      };
      const stopClock = clock.after(limits.waitMs, () => {
        leave();
        upload.refuse();
      });
      share.waiting.set(upload, stopClock);
      share.waitingBytes += bytes;
      waiting += 1;
      if (!isLooking) look();
      return leave;
    },
  };
}
