import { mayTake } from '@svc/kernel';

interface Share<Job> {
  /** Processor time of its jobs, in milliseconds, counted from the level at which it came. */
  spent: number;
  /** In the order of their arrival. */
  waiting: Job[];
}

export interface TurnLimits {
  /** Jobs that wait, in all and of one account. The last eighth is reserved for accounts that have none (`mayTake`). */
  waitingInAll: number;
  waitingPerAccount: number;
  /** Accounts whose spent time is known while none of their jobs waits. */
  known: number;
}

export interface Turns<Job> {
  /** False: too many wait. */
  add(account: string, job: Job): boolean;
  /** The first job of the account that has spent the least; of equals, of the one that came first. */
  take(): { account: string; job: Job } | undefined;
  /** Adds the processor time of a job that was taken, in milliseconds. */
  charge(account: string, ms: number): void;
  remove(account: string, job: Job): void;
  /** Takes all. */
  clear(): Job[];
}

/**
 * Jobs of accounts that share one worker: start-time fair queueing (Goyal, Vin and Cheng, 1996) by the processor time that each job has used, which is
 * known when it ends. An account that comes starts at the level of the job that was taken last: it is behind nobody who has used more since,
 * however much of theirs waits, and has saved nothing by having been away. So it waits for the job under way, and for accounts that came before it.
 */
export function createTurns<Job>({ waitingInAll, waitingPerAccount, known }: TurnLimits): Turns<Job> {
  const shares = new Map<string, Share<Job>>();
  let level = 0;
  let count = 0;

  const shareOf = (account: string): Share<Job> => {
    let share = shares.get(account);
    if (!share) shares.set(account, (share = { spent: level, waiting: [] }));
    return share;
  };
  /** What has spent no more than the level starts there anyway. */
  const forget = (): void => {
    for (const [account, { spent, waiting }] of shares) {
      if (waiting.length === 0 && (spent <= level || shares.size > known)) shares.delete(account);
    }
  };

  return {
    add(account, job) {
      const waiting = shares.get(account)?.waiting.length ?? 0;
      if (waiting >= waitingPerAccount || !mayTake(waiting, count - waiting, waitingInAll)) return false;
      const share = shareOf(account);
      if (waiting === 0) share.spent = Math.max(share.spent, level);
      share.waiting.push(job);
      count += 1;
      return true;
    },
    take() {
      let next: [string, Share<Job>] | undefined;
      for (const entry of shares) if (entry[1].waiting.length > 0 && (!next || entry[1].spent < next[1].spent)) next = entry;
      if (!next) return undefined;
      const [account, share] = next;
      level = Math.max(level, share.spent);
      count -= 1;
      const job = share.waiting.shift() as Job;
      return { account, job };
    },
    charge(account, ms) {
      shareOf(account).spent += ms;
      forget();
    },
    remove(account, job) {
      const waiting = shares.get(account)?.waiting ?? [];
      const at = waiting.indexOf(job);
      if (at < 0) return;
      waiting.splice(at, 1);
      count -= 1;
    },
    clear() {
      const jobs = [...shares.values()].flatMap(({ waiting }) => waiting);
      shares.clear();
      count = 0;
      return jobs;
    },
  };
}
