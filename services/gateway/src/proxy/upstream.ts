import type { Clock } from '@svc/kernel';
import { Pool } from 'undici';

/** One process of a service. */
export interface Replica {
  readonly origin: string;
  readonly pool: Pool;
  /** Requests that it has not answered. */
  underWay: number;
  /** Milliseconds since 1970: until then others come first; 0: it answered last time. */
  unhealthyUntil: number;
}

/** How long is waited for what, in milliseconds. */
export interface Timeouts {
  connect: number;
  /** For an answer to begin: longer than the 25 s of `Prefer: wait`. */
  answer: number;
  /** Between two pieces of an answer. */
  body: number;
}

const DEFAULTS: Timeouts = { connect: 1_500, answer: 35_000, body: 15_000 };
/** Each has a connection: who waits for an outcome (`Prefer: wait`) keeps one for as long. */
const MOST_UNDER_WAY = 1_024;
/** After a failure others come first for this long; then one request finds out. */
const UNHEALTHY_MS = 1_000;

/** A service as the gateway knows it: its replicas, in turn. */
export interface Upstream {
  readonly name: string;
  readonly replicas: readonly Replica[];
  /** Whom to ask next, but for those that were tried; undefined: nobody is left. */
  next(tried: readonly Replica[]): Replica | undefined;
  /** It did not answer. True when that is news. */
  failed(replica: Replica): boolean;
  answered(replica: Replica): void;
  /** Once nothing is under way. */
  close(): Promise<void>;
}

export interface UpstreamOptions {
  name: string;
  /** One at least, such as `http://invoicing:3000`. */
  origins: readonly string[];
  clock: Pick<Clock, 'now'>;
  timeouts?: Partial<Timeouts>;
}

export function createUpstream({ name, origins, clock, timeouts }: UpstreamOptions): Upstream {
  const { connect, answer, body } = { ...DEFAULTS, ...timeouts };
  const replicas = origins.map((origin): Replica => {
    const pool = new Pool(origin, {
      connections: MOST_UNDER_WAY,
      pipelining: 1,
      connect: { timeout: connect },
      headersTimeout: answer,
      bodyTimeout: body,
    });
    return { origin, pool, underWay: 0, unhealthyUntil: 0 };
  });
  let turn = 0;

  const choose = (tried: readonly Replica[]): Replica | undefined => {
    const now = clock.now();
    let unhealthy: Replica | undefined;
    for (let n = 0; n < replicas.length; n += 1) {
      const replica = replicas[(turn + n) % replicas.length] as Replica;
      if (tried.includes(replica) || replica.underWay >= MOST_UNDER_WAY) continue;
      if (replica.unhealthyUntil <= now) return replica;
      unhealthy ??= replica;
    }
    return unhealthy;
  };

  return {
    name,
    replicas,
    next(tried) {
      const chosen = choose(tried);
      if (chosen === undefined) return undefined;
      turn = replicas.indexOf(chosen) + 1;
      // One that failed is tried by one request at a time, not by all that come before it answers.
      if (chosen.unhealthyUntil !== 0) chosen.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      return chosen;
    },
    failed(replica) {
      const isNews = replica.unhealthyUntil === 0;
      replica.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      return isNews;
    },
    answered(replica) {
      replica.unhealthyUntil = 0;
    },
    async close() {
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}
