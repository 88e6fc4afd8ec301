import type { ServerResponse } from 'node:http';
import { type Clock, createCapacity } from '@svc/kernel';
import { type Logger, MOST_WAITING, PIECE } from '@svc/service';
import { lastPosition, type EventRow, type Events, type Tenant } from './event.ts';
import { positionRest } from './log.ts';

/** Events of other processes are looked for this often, of so many accounts at once. */
const LOOK_EVERY_MS = 250;
const AT_ONCE = 100;
/** Rows of one look. */
const ROWS = 100;

export interface EventWaitersOptions {
  events: Events;
  clock: Clock;
  logger: Logger;
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
}

/** A request that waits for the next event of its account. */
export interface EventWaiter {
  /** Resolves with true once an event was stored that may match and that `news` has not reported yet; with false when the wait is over. */
  news(): Promise<boolean>;
  /** To be called once. */
  end(): void;
}

export interface Following extends Tenant {
  seconds: number;
  /** Whether an event may be one that is waited for. */
  matches(row: EventRow): boolean;
  /** The response, which closes when the caller disconnects. */
  response: Pick<ServerResponse, 'once' | 'off' | 'destroyed'>;
}

interface Waiter {
  matches(row: EventRow): boolean;
  notify(): void;
  over(): void;
}

/** A log that requests wait for. */
interface Followed {
  tenant: Tenant;
  waiters: Set<Waiter>;
  /** The position up to which it was looked at; undefined until the first look. */
  position: number | undefined;
  lookedAt: number;
  isDue: boolean;
  looking: Promise<void> | undefined;
}

/**
 * The requests of this process that wait for events. A log is read once for all who wait for it: when this process stores events of it, and every 250 ms for those of
 * other processes. So many wait as may wait for outcomes: `MOST_WAITING`.
 */
export function createEventWaiters({ events, clock, logger, stopping }: EventWaitersOptions) {
  const capacity = createCapacity(MOST_WAITING);
  const logs = new Map<string, Followed>();
  let looking: AbortController | undefined;

  /** Reads what was stored since the last look, and wakes those who wait by then. */
  async function read(log: Followed): Promise<void> {
    const { tenant } = log;
    await positionRest(events, tenant);
    const end = await lastPosition(events, tenant);
    if (end === log.position) return;
    if (log.position === undefined) for (const waiter of log.waiters) waiter.notify();
    else {
      const filter = { account: tenant.account, env: tenant.env, log_position: { $gt: log.position, $lte: end } };
      const { docs, left } = await events.page(filter, { sort: { log_position: 1 }, limit: ROWS }, PIECE);
      const isWhole = left.length === 0 && docs.length < ROWS; // else what was not read may match
      for (const waiter of log.waiters) if (!isWhole || docs.some((row) => waiter.matches(row))) waiter.notify();
    }
    log.position = end;
  }

  /** Resolves after a look that began after the call. */
  function look(log: Followed): Promise<void> {
    log.isDue = true;
    return (log.looking ??= (async () => {
      while (log.isDue) {
        log.isDue = false;
        log.lookedAt = clock.now();
        await read(log).catch((error: unknown) => logger.warn({ err: error }, 'a log of events that is followed cannot be read'));
      }
    })().finally(() => (log.looking = undefined)));
  }

  function lookForOthers(): void {
    const due = [...logs.values()].sort((a, b) => a.lookedAt - b.lookedAt);
    for (const log of due.slice(0, AT_ONCE)) if (!log.looking) void look(log);
  }

  async function keepLooking(over: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_EVERY_MS, over);
      if (over.aborted) return;
      lookForOthers();
    }
  }

  function followed({ account, env }: Tenant): Followed {
    const key = keyOf({ account, env });
    const known = logs.get(key);
    if (known) return known;
    const log: Followed = {
      tenant: { account, env },
      waiters: new Set(),
      position: undefined,
      lookedAt: 0,
      isDue: false,
      looking: undefined,
    };
    logs.set(key, log);
    if (looking) return log;
    looking = new AbortController();
    void keepLooking(looking.signal);
    return log;
  }

  function leave(log: Followed): void {
    if (log.waiters.size > 0) return;
    logs.delete(keyOf(log.tenant));
    if (logs.size > 0) return;
    looking?.abort();
    looking = undefined;
  }

  stopping.addEventListener('abort', () => {
    for (const { waiters } of [...logs.values()]) for (const waiter of [...waiters]) waiter.over();
  });

  return {
    /** This process has stored these rows. */
    stored(rows: readonly EventRow[]): void {
      if (logs.size === 0) return;
      for (const key of new Set(rows.map(keyOf))) {
        const log = logs.get(key);
        if (log) void look(log);
      }
    },

    /** Resolves with a request that waits from now on: what is stored later is reported. Undefined, at once: no more may wait. */
    async follow({ account, env, seconds, matches, response }: Following): Promise<EventWaiter | undefined> {
      const release = stopping.aborted || response.destroyed ? undefined : capacity.reserve(account, 1);
      if (!release) return undefined;
      const log = followed({ account, env });
      let [isNews, isOver] = [false, false];
      let wake: (() => void) | undefined;
      const waiter: Waiter = {
        matches,
        notify: () => ((isNews = true), wake?.()),
        over: () => ((isOver = true), wake?.()),
      };
      log.waiters.add(waiter);
      response.once('close', waiter.over);
      const cancel = clock.after(seconds * 1_000, waiter.over);
      if (log.position === undefined) await look(log);
      isNews = false; // what was found until now, the caller finds
      return {
        async news() {
          if (!isNews && !isOver) await new Promise<void>((resolve) => (wake = resolve));
          const found = isNews;
          isNews = false;
          return found && !response.destroyed && !stopping.aborted;
        },
        end() {
          cancel();
          response.off('close', waiter.over);
          log.waiters.delete(waiter);
          leave(log);
          release();
        },
      };
    },
  };
}

export type EventWaiters = ReturnType<typeof createEventWaiters>;

const keyOf = ({ account, env }: Tenant): string => `${env} ${account}`;
