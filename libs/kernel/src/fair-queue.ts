import { mayTake } from './turns.ts';

interface Share<Job> {
  /** Cost of its jobs, counted from the level at which it came. */
  spent: number;
  /** Of its next job. */
  expected: number;
  /** In the order of their arrival. */
  waiting: Job[];
}

export interface FairQueueLimits {
  /** Jobs that wait, in all and of one account. The last eighth is reserved for accounts that have none (`mayTake`). */
  waitingInAll: number;
  waitingPerAccount: number;
  /** Accounts whose cost is known while none of their jobs waits. */
  known: number;
}

export interface FairQueue<Job> {
  /** False: too many wait. `expected`: what the job will cost, where that is much more than others: it comes behind those of accounts that have spent less than that. */
  add(account: string, job: Job, expected?: number): boolean;
  /** The first job of the account that has spent the least, with what its job is expected to cost; of equals, of the one that came first. */
  take(): { account: string; job: Job } | undefined;
  /** Adds the cost of a job that was taken, such as milliseconds of processor time. */
  charge(account: string, cost: number): void;
  /** False: it does not wait any more. */
  remove(account: string, job: Job): boolean;
  /** Takes all. */
  clear(): Job[];
}

/**
 * Jobs of accounts that share something that serves one at a time: start-time fair queueing (Goyal, Vin and Cheng, 1996) by what each job has cost, which may
 * be known only when it ends. An account that comes starts at the level of the job that was taken last: it is not behind accounts that have used more since,
 * however much of theirs waits, and has saved nothing by having been away.
 */
export function createFairQueue<Job>({ waitingInAll, waitingPerAccount, known }: FairQueueLimits): FairQueue<Job> {
  const shares = new Map<string, Share<Job>>();
  let level = 0;
  let count = 0;

  const shareOf = (account: string): Share<Job> => {
    let share = shares.get(account);
    if (!share) shares.set(account, (share = { spent: level, expected: 0, waiting: [] }));
    return share;
  };
  /** What has spent no more than the level starts there anyway. */
  const forget = (): void => {
    for (const [account, { spent, waiting }] of shares) {
      if (waiting.length === 0 && (spent <= level || shares.size > known)) shares.delete(account);
    }
  };

  return {
    add(account, job, expected = 0) {
      const waiting = shares.get(account)?.waiting.length ?? 0;
      if (waiting >= waitingPerAccount || !mayTake(waiting, count - waiting, waitingInAll)) return false;
      const share = shareOf(account);
      if (waiting === 0) share.spent = Math.max(share.spent, level);
      share.expected = expected;
      share.waiting.push(job);
      count += 1;
      return true;
    },
    take() {
      let next: [string, Share<Job>] | undefined;
      for (const entry of shares) if (entry[1].waiting.length > 0 && (!next || isBefore(entry[1], next[1]))) next = entry;
      if (!next) return undefined;
      const [account, share] = next;
      level = Math.max(level, share.spent);
      count -= 1;
      const job = share.waiting.shift() as Job;
      return { account, job };
    },
    charge(account, cost) {
      shareOf(account).spent += cost;
      forget();
    },
    remove(account, job) {
      const waiting = shares.get(account)?.waiting ?? [];
      const at = waiting.indexOf(job);
      if (at < 0) return false;
      waiting.splice(at, 1);
      count -= 1;
      return true;
    },
    clear() {
      const jobs = [...shares.values()].flatMap(({ waiting }) => waiting);
      shares.clear();
      count = 0;
      return jobs;
    },
  };
}

const isBefore = (one: Share<unknown>, other: Share<unknown>): boolean => one.spent + one.expected < other.spent + other.expected;
