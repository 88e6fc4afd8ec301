import { type Clock, isFresh, mayTake, waitGoesOn } from '@svc/kernel';
import { MOST_WAITING } from '@svc/service';
import { Pool } from 'undici';
import { type Timeouts, TIMEOUTS } from './deadlines.ts';
import { answersAt, provingConnector } from './prove-connection.ts';

/** One process of a service. */
export interface Replica {
  readonly origin: string;
  /** IP address that connections go to; undefined: what the origin's name leads to, which may be several processes. */
  readonly address: string | undefined;
  /** Whether all its connections lead to one process: by its address, or since each of several origins is one. The only origin may be that of a balancer. */
  readonly isOne: boolean;
  /** Replaced when a process behind it hangs, and at the end of its life. */
  pool: Pool;
  /** Milliseconds since 1970: of the pool. */
  openedAt: number;
  /** Requests without a response yet, besides those that wait for an outcome. */
  underWay: number;
  /** Of those, how many each holder has. */
  readonly held: Map<string, number>;
  /** Milliseconds since 1970. Until then healthy replicas have precedence; 0: the last request was answered. */
  unhealthyUntil: number;
  /** Milliseconds since 1970: of the last answer or sign of life, or of the first request since there was none under way. */
  heardAt: number;
  /** Its last answer said that a request that waits there has signs of life: one without them hangs. Replicas of release 0.1.0 do not say so (until 0.3). */
  hasSigns: boolean;
  /** Milliseconds since 1970. Until then new connections are proven before a request uses them. */
  suspectUntil: number;
}

/** Connections of a replica for requests that do not wait, which holders share (`mayTake`). One with `Prefer: wait` occupies one of the others until its outcome is known. */
const MOST_UNDER_WAY = 1_024;
/** One that has requests under way and has answered none for this long comes behind the others. */
const SILENT_MS = 1_000;
const SUSPECT_MS = 60_000;
/** New connections to one address, of which none is answered: those of a balancer lead to several processes. */
const PROOFS = 2;
/** A tenth of the requests may be repeats of what was not answered, and some at first. */
const [REPEATS_PER_REQUEST, FIRST_REPEATS, MOST_REPEATS] = [0.1, 20, 100];
/** After a failure a replica comes last for this long; then one request tries it. */
const UNHEALTHY_MS = 1_000;

export interface UpstreamOptions {
  name: string;
  /** One at least, such as `http://invoicing:3000`. */
  origins: readonly string[];
  clock: Pick<Clock, 'now' | 'after'>;
  timeouts?: Partial<Timeouts>;
}

/** A service behind the gateway: its replicas, in rotation. */
export function createUpstream({ name, origins, clock, timeouts }: UpstreamOptions) {
  const { connect, answer, body, deadline, look, life, unreached } = { ...TIMEOUTS, ...timeouts };
  const openPool = (replica: Pick<Replica, 'origin' | 'address' | 'suspectUntil'>): Pool =>
    new Pool(replica.origin, {
      connections: MOST_UNDER_WAY + MOST_WAITING.inAll,
      pipelining: 1,
      connect: provingConnector({
        ...{ within: connect, clock, address: replica.address },
        isSuspect: () => clock.now() < replica.suspectUntil,
      }),
      headersTimeout: answer,
      bodyTimeout: body,
    });
  const replicaAt = (origin: string, address?: string): Replica => {
    const isOne = address !== undefined || origins.length > 1;
    const none = { underWay: 0, held: new Map<string, number>(), unhealthyUntil: 0, heardAt: 0, hasSigns: false, suspectUntil: 0 };
    const replica = { origin, address, isOne, openedAt: clock.now(), ...none };
    return Object.assign(replica, { pool: openPool(replica) });
  };
  const replicas = origins.map((origin) => replicaAt(origin));
  const leaving = new Set<Promise<void>>();
  const end = (pool: Pool): void => {
    const closed = pool.close().finally(() => leaving.delete(closed));
    leaving.add(closed);
  };
  /** Requests under way have their connections to the end. Not `clientTtl`: each request would go through all connections that are past it and busy. */
  const renew = (replica: Replica): void => {
    const { pool } = replica;
    Object.assign(replica, { pool: openPool(replica), openedAt: clock.now() });
    end(pool);
  };
  let turn = 0;
  let repeats = FIRST_REPEATS;

  const mayBegin = ({ underWay, held }: Replica, holder: string): boolean => {
    const own = held.get(holder) ?? 0;
    return mayTake(own, underWay - own, MOST_UNDER_WAY);
  };
  const choose = (tried: readonly Replica[], holder: string): Replica | undefined => {
    const now = clock.now();
    let [silent, unhealthy]: Replica[] = [];
    for (let n = 0; n < replicas.length; n += 1) {
      const replica = replicas[(turn + n) % replicas.length] as Replica;
      if (tried.includes(replica) || !mayBegin(replica, holder)) continue;
      if (waitGoesOn(replica.unhealthyUntil, now, UNHEALTHY_MS)) unhealthy ??= replica;
      else if (replica.underWay > 0 && now - replica.heardAt > SILENT_MS) silent ??= replica;
      else return replica;
    }
    return silent ?? unhealthy;
  };

  return {
    name,
    origins,
    replicas,
    longestDeadline: deadline,
    longest: answer,
    look,
    unreached,
    /** Makes each of these addresses a replica of the origin; none: the origin is one. Requests under way at others go on. */
    leadsTo(origin: string, addresses: readonly string[]): void {
      const wanted = addresses.length > 0 ? addresses : [undefined];
      const known = replicas.filter((replica) => replica.origin === origin);
      const others = replicas.filter((replica) => replica.origin !== origin);
      const present = wanted.map((address) => known.find((replica) => replica.address === address) ?? replicaAt(origin, address));
      replicas.splice(0, replicas.length, ...others, ...present);
      for (const replica of known) if (!present.includes(replica)) end(replica.pool);
    },
    /** The next replica that is not in `tried` and has a connection for the holder; undefined: none is left. */
    next(tried: readonly Replica[], holder: string): Replica | undefined {
      const chosen = choose(tried, holder);
      if (chosen === undefined) return undefined;
      turn = replicas.indexOf(chosen) + 1;
      repeats = Math.min(repeats + REPEATS_PER_REQUEST, MOST_REPEATS);
      // One request at a time tries an unhealthy replica.
      if (chosen.unhealthyUntil !== 0) chosen.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      // While it is suspect the connections that are proven are kept.
      if (!chosen.isOne && !isFresh(chosen.openedAt, clock.now(), life) && clock.now() >= chosen.suspectUntil) renew(chosen);
      return chosen;
    },
    /** Marks a replica as unhealthy. True when it was healthy before. */
    failed(replica: Replica): boolean {
      const isNews = replica.unhealthyUntil === 0;
      replica.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      return isNews;
    },
    /** `hasSigns`: the answer says so. */
    answered(replica: Replica, hasSigns: boolean): void {
      Object.assign(replica, { unhealthyUntil: 0, heardAt: clock.now(), hasSigns });
    },
    /** A process there is alive. */
    heard(replica: Replica): void {
      replica.heardAt = clock.now();
    },
    /** Counts a request as under way, until the returned function is called. */
    begin(replica: Replica, holder: string): () => void {
      const { held } = replica;
      if (replica.underWay === 0) replica.heardAt = clock.now();
      replica.underWay += 1;
      held.set(holder, (held.get(holder) ?? 0) + 1);
      return () => {
        const left = (held.get(holder) ?? 0) - 1;
        if (left > 0) held.set(holder, left);
        else held.delete(holder);
        replica.underWay -= 1;
      };
    },
    /** Leaves these connections, since a process behind them hangs, and those of the pool that has taken their place, where they are not proven. */
    leave(replica: Replica, pool: Pool): void {
      const isProven = replica.openedAt < replica.suspectUntil;
      replica.suspectUntil = clock.now() + SUSPECT_MS;
      if (replica.pool === pool || !isProven) renew(replica);
    },
    /** Whether a replica that has not answered any request since then hangs. A balancer may lead a new connection to another process: its next ones are proven. */
    async looksHung(replica: Replica, pool: Pool, since: number): Promise<boolean> {
      if (!replica.isOne) this.leave(replica, pool);
      for (let n = 0; n < (replica.isOne ? 1 : PROOFS); n += 1) {
        if (replica.heardAt > since) return false;
        if (await answersAt(replica.origin, { within: connect, clock, address: replica.address })) return false;
      }
      return replica.heardAt <= since;
    },
    hasRepeats: (): boolean => repeats >= 1,
    /** Whether a request that was not answered may be sent once more, which counts. */
    mayRepeat(): boolean {
      if (repeats < 1) return false;
      repeats -= 1;
      return true;
    },
    /** Resolves when no request is in flight. */
    async close(): Promise<void> {
      await Promise.all([...leaving, ...replicas.map(({ pool }) => pool.close())]);
    },
  };
}

export type Upstream = ReturnType<typeof createUpstream>;
