import type { Clock } from '@svc/kernel';
import { MOST_WAITING } from '@svc/service';
import { Pool } from 'undici';

/** One process of a service. */
export interface Replica {
  readonly origin: string;
  readonly pool: Pool;
  /** Requests without a response yet, besides those that wait for an outcome. */
  underWay: number;
  /** Milliseconds since 1970. Until then healthy replicas have precedence; 0: the last request was answered. */
  unhealthyUntil: number;
}

/** Timeouts in milliseconds. */
export interface Timeouts {
  connect: number;
  /** Until the response begins: longer than the 25 s of `Prefer: wait`. */
  answer: number;
  /** Between two chunks of a response. */
  body: number;
}

export const TIMEOUTS: Timeouts = { connect: 1_500, answer: 35_000, body: 15_000 };
/** Connections of a replica for requests that do not wait. One with `Prefer: wait` occupies one of the others until its outcome is known. */
const MOST_UNDER_WAY = 1_024;
/** After a failure a replica comes last for this long; then one request tries it. */
const UNHEALTHY_MS = 1_000;

export interface UpstreamOptions {
  name: string;
  /** One at least, such as `http://invoicing:3000`. */
  origins: readonly string[];
  clock: Pick<Clock, 'now'>;
  timeouts?: Partial<Timeouts>;
}

/** A service behind the gateway: its replicas, in rotation. */
export function createUpstream({ name, origins, clock, timeouts }: UpstreamOptions) {
  const { connect, answer, body } = { ...TIMEOUTS, ...timeouts };
  const replicas = origins.map((origin): Replica => {
    const pool = new Pool(origin, {
      connections: MOST_UNDER_WAY + MOST_WAITING.inAll,
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
    /** The next replica that is not in `tried`; undefined: none is left. */
    next(tried: readonly Replica[]): Replica | undefined {
      const chosen = choose(tried);
      if (chosen === undefined) return undefined;
      turn = replicas.indexOf(chosen) + 1;
      // One request at a time tries an unhealthy replica.
      if (chosen.unhealthyUntil !== 0) chosen.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      return chosen;
    },
    /** Marks a replica as unhealthy. True when it was healthy before. */
    failed(replica: Replica): boolean {
      const isNews = replica.unhealthyUntil === 0;
      replica.unhealthyUntil = clock.now() + UNHEALTHY_MS;
      return isNews;
    },
    answered(replica: Replica): void {
      replica.unhealthyUntil = 0;
    },
    /** Resolves when no request is in flight. */
    async close(): Promise<void> {
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}

export type Upstream = ReturnType<typeof createUpstream>;
