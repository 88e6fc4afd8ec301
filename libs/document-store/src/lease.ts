import type { Clock } from '@svc/kernel';
import type { Collection, Doc } from './port.ts';

/** Who runs a job of which one replica runs at a time, and until when (milliseconds since 1970). `_id` is the job. */
export interface Lease extends Doc {
  holder: string;
  until: number;
}

export interface LeaseOptions {
  leases: Collection<Lease>;
  /** The job: `relay`, `invoices_v3`. */
  name: string;
  /** This process, by a unique name: the pod's name and its start. */
  holder: string;
  clock: Clock;
  /**
   * Starts when the lease is won. Its signal aborts when the lease is lost or `stop` is called; once it has ended after that, the lease is
   * competed for again. When it throws, the lease is released; when it merely returns, the lease is kept.
   */
  run: (lost: AbortSignal) => Promise<void>;
  logger?: { error(fields: object, message: string): void };
}

export interface HeldLease {
  /** Aborts `run`, waits for its end and releases the lease, so that another process need not wait for it to run out. */
  stop(): Promise<void>;
  held(): boolean;
}

/** How long a lease is valid after a renewal: when its holder is killed, lists wait that long at most. */
export const TERM_MS = 4_000;
const RENEW_MS = 1_000;
/** The holder considers it lost this long before it runs out, since the clocks of others may be ahead by as much. */
export const EARLY_MS = 1_500;
/** How soon a released lease is noticed: lists wait for its subscription. */
const LOOK_MS = 250;
const RETRY_MS = 500;

/**
 * Competes for a lease until stopped. The holder extends it every second, with all its other leases at once, so that a store of one commit makes one; when
 * that has not succeeded for 2.5 s it considers the lease lost, before another process can have it. Leases avoid duplicate work, they do not exclude it: a
 * suspended process may resume in the middle of `run`.
 */
export function holdLease({ leases, name, holder, clock, run, logger }: LeaseOptions): HeldLease {
  const stopped = new AbortController();
  let isHeld = false;
  /** The lease of another holder as it was last, and for how long it has been watched without a renewal. */
  const watched = { version: 0, ms: 0 };

  const report = (error: unknown, what: string): void => logger?.error({ lease: name, err: error }, what);

  /** The version of the lease that this process holds; undefined when another holds it. */
  const take = async (until: number): Promise<number | undefined> => {
    const lease = await leases.get(name);
    if (!lease) return (await leases.insert({ _id: name, version: 1, holder, until })) ? 1 : undefined;
    if (lease.holder !== holder && lease.until > clock.now() && !isLeft(lease)) return undefined;
    return renew(lease.version, until);
  };
  /** A clock that was set back says that a lease is valid long after its holder has ended. */
  const isLeft = ({ version }: Lease): boolean => {
    if (version !== watched.version) Object.assign(watched, { version, ms: 0 });
    return watched.ms >= TERM_MS;
  };
  const renew = async (version: number, until: number): Promise<number | undefined> => {
    const [lease] = await leases.claim({ _id: name, version }, { set: { holder, until } });
    return lease?.version;
  };

  const untilRenewal = (): number => RENEW_MS - (clock.now() % RENEW_MS);

  const letGo = async (): Promise<void> => {
    try {
      const lease = await leases.get(name);
      if (lease?.holder === holder) await renew(lease.version, 0);
    } catch (error) {
      report(error, 'a lease could not be let go');
    }
  };

  const hold = async (won: number, until: number): Promise<void> => {
    let version = won;
    const lost = new AbortController();
    const lose = (): void => lost.abort();
    stopped.signal.addEventListener('abort', lose, { once: true });
    const loseAt = (end: number): (() => void) => clock.after(end - EARLY_MS - clock.now(), lose);
    let cancel = loseAt(until);
    isHeld = true;
    lost.signal.addEventListener('abort', () => (isHeld = false), { once: true });
    const running = (async () => run(lost.signal))().catch((error: unknown) => {
      report(error, 'the job of a lease failed');
      lose();
    });
    await clock.sleep(untilRenewal(), lost.signal);
    let isKnown = true;
    while (!lost.signal.aborted) {
      const next = clock.now() + TERM_MS;
      // A write without an answer may have been done: then the version is another, and the holder is still this process.
      const renewed: number | 'unknown' | undefined = await (isKnown ? renew(version, next) : take(next)).catch(
        (error: unknown): 'unknown' => {
          report(error, 'a lease could not be renewed');
          return 'unknown';
        },
      );
      isKnown = renewed !== 'unknown';
      if (renewed === undefined) lose();
      if (typeof renewed === 'number' && !lost.signal.aborted) {
        version = renewed;
        cancel();
        cancel = loseAt(next);
      }
      await clock.sleep(isKnown ? untilRenewal() : RETRY_MS, lost.signal);
    }
    cancel();
    stopped.signal.removeEventListener('abort', lose);
    await running;
    await letGo();
  };

  const compete = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const until = clock.now() + TERM_MS;
      let wait = LOOK_MS;
      try {
        const won = await take(until);
        if (won !== undefined) {
          await (stopped.signal.aborted ? letGo() : hold(won, until));
          wait = RETRY_MS;
        }
      } catch (error) {
        report(error, 'a lease could not be taken');
        wait = RETRY_MS;
      }
      await clock.sleep(wait, stopped.signal);
      watched.ms += wait;
    }
  };

  const over = compete();
  return {
    held: () => isHeld,
    async stop() {
      stopped.abort();
      await over;
    },
  };
}
