import { compareAndSet, type Collection, type Doc, type Job } from '@svc/document-store';
import { iso, type Clock, type Env, type Ids, waitGoesOn } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { AGREE_MS, dateOf, observeClock } from '../sending/clock-difference.ts';
import type { Http } from '../sending/http.ts';
import type { Authority } from './authority.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { PROBE_EVERY } from './domain/next-step.ts';
import { makeAllDue } from './due-now.ts';
import { CLAIM_MS } from './row.ts';

/** That an authority has refused a message for its time. `_id`: environment and authority. */
export interface ClockHold extends Doc {
  /** Another one at each refusal that was not expected. */
  hold: string;
  /** ISO 8601 */
  since: string;
  /** Until when it has had documents wait at most, by the clock of a process that may be ahead; in milliseconds since 1970. Absent: none waits for it. */
  until?: number;
}

export const clockHoldIndexes = [{ fields: ['since'] }];

/** Whose messages. */
interface Held {
  env: Env;
  authority: Pick<Authority, 'id' | 'origin' | 'anchors'>;
}

/** Which messages an authority would refuse for their time. */
export interface ClockHolds {
  /** Before when nothing is sent to it, in milliseconds since 1970; null: it may be sent, if the circuit breaker admits it. */
  until(of: Held, breaker: CircuitBreaker): Promise<number | null>;
  /** It takes no message of this machine's time. */
  hold(of: Held, breaker: CircuitBreaker): Promise<void>;
  /** It has taken a message: where nothing else says the time, the clocks agree as far as it cares. */
  taken(of: Held, breaker: CircuitBreaker): Promise<void>;
  /** Whether messages of this process wait for that now. */
  isHeld(of: { env: Env; authority: Pick<Authority, 'id'> }): boolean;
}

/** What this process knows of an authority. */
interface Own {
  /** The hold since which the clocks of this machine and the authority were seen to agree. */
  agreed?: string;
  /** The hold at which the last look found no time: what the circuit breaker tries shows whether the clocks agree. */
  untimed?: string | undefined;
  /** The hold as it was read last, and when, in milliseconds since 1970. */
  read?: { hold: string | undefined; at: number };
  lookAt: number;
  looking?: Promise<void> | undefined;
  /** When a message waited for it last, in milliseconds since 1970. */
  heldAt?: number | undefined;
}

/** For so long a hold is not read again, in milliseconds: another process may have made one. */
const READ_EVERY_MS = 1_000;
const WITHIN_MS = 5_000;
/** Until when a process may have claimed what waits, from a look on, in milliseconds: it may have died. */
const CLAIMED_MS = 60_000;

interface Options {
  holds: Collection<ClockHold>;
  /** What waits for authorities: each names its own, and the environment. */
  waiting: readonly Pick<Collection<Job>, 'claim'>[];
  http: Http;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  logger: Logger;
  /** Divides waits. */
  timeScale: number;
}

/**
 * After a refusal for its time nothing is sent to an authority, by any process and after any restart, until a call that asks for nothing shows that the clocks agree.
 * Where such calls show no time, one document is tried now and then, as where an authority does not answer.
 * Every process finds that out for itself: they may run on several machines, of which one is wrong.
 */
export function createClockHolds({ holds, waiting, http, clock, ids, logger, timeScale }: Options): ClockHolds {
  const known = new Map<string, Own>();
  const ownOf = (_id: string): Own => known.get(_id) ?? (known.set(_id, { lookAt: 0 }).get(_id) as Own);
  const every = PROBE_EVERY / timeScale;
  const idOf = ({ env, authority: { id } }: Parameters<ClockHolds['isHeld']>[0]): string => `${env} ${id}`;

  async function holdOf(_id: string, own: Own): Promise<string | undefined> {
    const now = clock.now();
    if (own.read && now >= own.read.at && now < own.read.at + READ_EVERY_MS / timeScale) return own.read.hold;
    own.read = { hold: (await holds.get(_id))?.hold, at: now };
    return own.read.hold;
  }

  /** Whether the clocks agree, as an answer to a call says that is no operation of the authority. Undefined: nothing says it. */
  async function agrees({ env, authority }: Held): Promise<boolean | undefined> {
    const { origin, anchors } = authority;
    const startedAt = clock.now();
    try {
      const tls = anchors && { anchors };
      const { headers } = await http({ method: 'GET', url: `${origin}/`, headers: {}, tls, deadlineMs: WITHIN_MS });
      const timed = { startedAt, now: clock.now(), times: dateOf(headers) };
      const ms = observeClock({ env, authority }, timed);
      return ms === undefined ? undefined : Math.abs(ms) < AGREE_MS;
    } catch (error) {
      logger.warn({ err: error, authority: authority.id, env }, 'an authority that refused for the time cannot be asked for it');
      return undefined;
    }
  }

  async function look(of: Held, own: Own, { hold, breaker }: { hold: string; breaker: CircuitBreaker }): Promise<void> {
    const latest = ({ until = 0 }: ClockHold) => ({ until: Math.max(until, clock.now() + every) });
    const [isAgreed] = await Promise.all([agrees(of), changeHold(idOf(of), hold, latest)]);
    if (isAgreed) return end(of, own, { hold, breaker });
    own.untimed = isAgreed === undefined ? hold : undefined;
    own.lookAt = clock.now() + every;
  }

  async function end(of: Held, own: Own, { hold, breaker }: { hold: string; breaker: CircuitBreaker }): Promise<void> {
    await makeDue(of, hold);
    Object.assign(own, { agreed: hold, heldAt: undefined });
    breaker.close();
    logger.info({ authority: of.authority.id, env: of.env }, 'the clocks agree; what waited for that is sent');
  }

  /** What a clock that was ahead has had wait for longer than any look: it was set back since. */
  async function makeDue(of: Held, hold: string): Promise<void> {
    const now = clock.now();
    const { until } = (await holds.get(idOf(of))) ?? {};
    if (until === undefined || until <= now + every) return;
    const held = { authority: of.authority.id, env: of.env, due_at: { $gt: now + CLAIM_MS, $lte: until + every + CLAIMED_MS } };
    await makeAllDue(waiting, held, now);
    await changeHold(idOf(of), hold, () => ({ until: undefined }));
  }

  async function changeHold(_id: string, of: string, change: (hold: ClockHold) => Partial<ClockHold>): Promise<void> {
    const same = (found: ClockHold) => (found.hold === of ? change(found) : undefined);
    await compareAndSet<ClockHold, undefined>(holds, _id, { absent: () => undefined, change: same, tries: 20 });
  }

  return {
    async until(of, breaker) {
      const own = ownOf(idOf(of));
      const hold = await holdOf(idOf(of), own);
      if (hold === undefined || hold === own.agreed) return null;
      if (own.looking !== undefined || !waitGoesOn(own.lookAt, clock.now(), every)) {
        own.looking ??= look(of, own, { hold, breaker }).finally(() => {
          own.looking = undefined;
        });
        await own.looking;
      }
      if (hold === own.agreed) return null;
      own.heldAt = clock.now();
      // What was answered meanwhile may have closed it.
      if (!breaker.isOpenToAll()) breaker.open(clock.now());
      return hold === own.untimed ? null : own.lookAt;
    },

    async taken(of, breaker) {
      const own = ownOf(idOf(of));
      const { untimed: hold } = own;
      if (hold !== undefined && hold !== own.agreed) await end(of, own, { hold, breaker });
    },

    async hold(of, breaker) {
      const _id = idOf(of);
      const own = ownOf(_id);
      const now = clock.now();
      breaker.open(now);
      Object.assign(own, { lookAt: now + every, heldAt: now });
      const set = { hold: ids.next(), since: iso(now), until: own.lookAt };
      const { doc } = await compareAndSet<ClockHold, ClockHold>(holds, _id, {
        absent: () => ({ _id, version: 1, ...set }),
        // Messages that were under way with the one that was refused first say nothing new.
        change: ({ hold }) => (hold === own.agreed ? set : undefined),
        tries: 20,
      });
      own.read = { hold: doc.hold, at: clock.now() };
      const about = { authority: of.authority.id, env: of.env };
      logger.warn(about, 'an authority refuses messages for their time; nothing is sent to it until the clocks agree');
    },

    isHeld(of) {
      const { heldAt } = known.get(idOf(of)) ?? {};
      // What waits looks again within that time.
      return heldAt !== undefined && waitGoesOn(heldAt + 2 * every, clock.now(), 2 * every);
    },
  };
}
