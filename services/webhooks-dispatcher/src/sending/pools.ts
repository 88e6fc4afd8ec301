import type { Clock } from '@svc/kernel';
import { Pool } from 'undici';
import { type Connected, createConnecting } from './connector.ts';
import { createCosts } from './costs.ts';
import { createParsingTurns } from './parsing-turns.ts';

/** An account's connections to one address. `address` '': the operating system resolves the host (allowed origins only). */
export interface Target {
  account: string;
  origin: string;
  address: string;
}

interface Entry {
  pool: Pool;
  connected: Connected;
  users: number;
  /** Cancels the scheduled closing of an idle pool. */
  keep: (() => void) | undefined;
}

/** Longer than connections are kept alive, so a pool is closed after its last connection. */
const IDLE_MS = 15_000;
const IDLE_POOLS = 1_000;

/**
 * One undici Pool per account, origin and pinned address: accounts do not wait for each other's connections, and a name that resolves to a
 * new address gets a new pool. A pool opens a connection per request in flight; permits bound their number. It is closed 15 s after its
 * last use; at most 1,000 are idle.
 */
export function createPools(clock: Clock) {
  const entries = new Map<string, Entry>();
  const idle = new Map<string, Entry>();
  const shared = { handshakes: createCosts(clock), answers: createCosts(clock), turns: createParsingTurns() };
  const connectorTo = createConnecting(shared, clock);

  const open = (target: Target, connected: Connected): Pool =>
    new Pool(target.origin, {
      ...{ pipelining: 1, keepAliveTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 },
      connect: connectorTo(target, connected),
    });

  const drop = (key: string, entry: Entry): void => {
    entry.keep?.();
    entries.delete(key);
    idle.delete(key);
    void entry.pool.close();
  };

  const take = (key: string, target: Target): Entry => {
    let entry = entries.get(key);
    if (!entry) {
      const connected = { at: 0 };
      entries.set(key, (entry = { pool: open(target, connected), connected, users: 0, keep: undefined }));
    }
    entry.keep?.();
    entry.keep = undefined;
    idle.delete(key);
    entry.users += 1;
    return entry;
  };

  const giveBack = (key: string, entry: Entry): void => {
    entry.users -= 1;
    if (entry.users > 0) return;
    entry.keep = clock.after(IDLE_MS, () => drop(key, entry));
    idle.set(key, entry);
    if (idle.size > IDLE_POOLS) drop(...(idle.entries().next().value as [string, Entry]));
  };

  return {
    /** Calls `work` with the target's pool, which is kept until `work` calls `end`. */
    use(target: Target, work: (pool: Pool, connected: Readonly<Connected>, end: () => void) => void): void {
      const key = `${target.account} ${target.origin} ${target.address}`;
      const entry = take(key, target);
      let isOver = false;
      work(entry.pool, entry.connected, () => {
        if (!isOver) giveBack(key, entry);
        isOver = true;
      });
    },
    /** Whether the account's receivers are sent nothing for the rest of the minute. */
    answersCostTooMuch: shared.answers.areTooHigh,
    size: (): number => entries.size,
    /** Cancels requests in flight. */
    async close(): Promise<void> {
      for (const { keep } of idle.values()) keep?.();
      await Promise.all([...entries.values()].map(({ pool }) => pool.destroy()));
    },
  };
}
