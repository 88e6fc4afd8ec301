import { hash } from 'node:crypto';
import { type Collection, compareAndSet, type Job } from '@svc/document-store';
import { type Clock, DomainError } from '@svc/kernel';
import { callerNetwork } from '@svc/service/addresses/caller-network';
import type { Limiter } from '../limiter/port.ts';
import { emailKey } from '../members/user.ts';

/** Tries of one e-mail since its last success. `_id`: SHA-256 of the e-mail, so that the row of an unknown one names nobody. */
export interface Tries extends Job {
  count: number;
  /** When it is forgotten. */
  due_at: number;
}

/** Who tries, and from where. */
export interface Trier {
  email: string;
  address: string;
}

/** One try, which counts as a failure until it is settled. */
export interface Try {
  /** Resolves when the answer may be given. */
  wait(): Promise<void>;
  /** It was right, and the e-mail has no failures any more. */
  succeeded(): Promise<void>;
  /** It was right as far as it went: it counts no more, others do. */
  halfway(): Promise<void>;
}

interface Waiting {
  change(count: number): number;
  resolve(before: number): void;
  reject(error: unknown): void;
}

export interface SignInTries {
  /** Counts a try of a link, by its address. Throws rate_limit_exceeded beyond 20 a minute. */
  ofLink(address: string): Promise<void>;
  /** The same, and beyond 5 a minute of one e-mail from one address. To be called before all else. */
  admit(trier: Trier): Promise<void>;
  /** Counts a try of an e-mail, right before it is hashed: what is never hashed stores nothing. `isKnown`: spares the waiting. */
  begin(email: string, isKnown: boolean): Promise<Try>;
}

const PER_ADDRESS = 20;
const PER_PAIR = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const HOUR_MS = 3_600_000;
/** So many cost hardly any waiting. Who tries many e-mails a little, which need not exist, leaves the rows of an hour. */
const FEW = 3;
const keptFor = (failures: number): number => (failures <= FEW ? HOUR_MS : 24 * HOUR_MS);
/** Only replicas conflict with each other. */
const MOST_CHANGES = 50;

/** Milliseconds that the answer to a try waits, after so many failures before it: 0, 1, 2, 4 … 30 s. */
const waitAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));

const idOf = (email: string): string => hash('sha256', emailKey(email), 'base64url');

export function createSignInTries({ rows, limiter, clock }: { rows: Collection<Tries>; limiter: Limiter; clock: Clock }): SignInTries {
  const charge = async (scope: string, size: number): Promise<void> => {
    const { admitted, resetAt } = await limiter.take(scope, { windows: [{ name: 'sign_in', size, cost: 1 }] });
    if (!admitted) throw tooOften(Math.max(1, Math.ceil((resetAt - clock.now()) / 1_000)));
  };
  const byAddress = (address: string): Promise<void> => charge(`sign-in ${callerNetwork(address)}`, PER_ADDRESS);

  /** A process has one change of an e-mail in flight, which carries all that wait. */
  const queues = new Map<string, Waiting[]>();
  const serve = async (id: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const turn = queue.splice(0);
      await write(id, turn).then(
        (before) => turn.forEach(({ resolve }, n) => resolve(before[n] ?? 0)),
        (error: unknown) => turn.forEach(({ reject }) => reject(error)),
      );
    }
    queues.delete(id);
  };

  /** What the count was before each of the changes. */
  const write = async (_id: string, turn: readonly Waiting[]): Promise<number[]> => {
    const counted = (count: number) => ({ count, due_at: clock.now() + keptFor(count) });
    let before: number[] = [];
    const after = (count: number): number => {
      before = [];
      return turn.reduce((now, { change }) => {
        before.push(now);
        return Math.max(0, change(now));
      }, count);
    };
    await compareAndSet<Tries, Tries | undefined>(rows, _id, {
      absent() {
        const count = after(0);
        return count === 0 ? undefined : { _id, version: clock.now(), ...counted(count) };
      },
      change: ({ count }) => counted(after(count)),
      tries: MOST_CHANGES,
    });
    return before;
  };

  /** Resolves to the count before it. */
  const changed = (id: string, change: Waiting['change']): Promise<number> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(id);
      if (queue) return void queue.push({ change, resolve, reject });
      const started = [{ change, resolve, reject }];
      queues.set(id, started);
      setImmediate(() => void serve(id, started));
    });
  const set = async (id: string, change: Waiting['change']): Promise<void> => void (await changed(id, change));

  return {
    ofLink: byAddress,
    async admit({ email, address }) {
      await byAddress(address);
      await charge(`sign-in ${idOf(email)} ${callerNetwork(address)}`, PER_PAIR);
    },
    async begin(email, isKnown) {
      const id = idOf(email);
      const until = clock.now() + waitAfter(await changed(id, (count) => count + 1)) * (isKnown ? 0 : 1);
      return {
        wait: async () => (until > clock.now() ? clock.sleep(until - clock.now()) : undefined),
        succeeded: () => set(id, () => 0),
        halfway: () => set(id, (before) => before - 1),
      };
    },
  };
}

const tooOften = (seconds: number): DomainError =>
  new DomainError('rate_limit_exceeded', `Too many tries. Try again in ${seconds} s.`, { limit: ['sign_in'] }, seconds);
