import { setImmediate } from 'node:timers';
import { type Clock, mayTake, shareOf } from '@svc/kernel';
import { createFailing } from './failing.ts';
import type { Pacing } from './pacing.ts';

/** `skipped`: nothing was sent, so the endpoint's health is unchanged. `paced`: nothing was sent yet; the item waits for its turn, at the endpoint's pace or because it fails. */
export type Outcome = 'succeeded' | 'failed' | 'skipped' | 'paced';

/** What the queues read of an item. */
export interface Queued {
  _id: string;
  account: string;
  endpoint_id: string;
}

export interface QueuesOptions<T> {
  /** Sends one item; never rejects. `isPaced`: it begins at the pace of its endpoint. */
  run(item: T, isPaced: boolean): Promise<Outcome>;
  pacing: Pick<Pacing, 'waitMs' | 'begin' | 'within'>;
  after: Clock['after'];
  /** Memory of an item while it waits, and of the body that it sends while in flight, in bytes. */
  waitingBytes(item: T): number;
  bodyBytes(item: T): number;
  /** Since when an item could be sent, in milliseconds since 1970. */
  since(item: T): number;
  /** Called when an endpoint has capacity again and has more due rows in the store. */
  refill(account: string, endpoint: string): void;
}

interface Account<T> {
  name: string;
  endpoints: Map<string, Endpoint<T>>;
  running: number;
  bodies: number;
  waiting: number;
}

interface Endpoint<T> {
  id: string;
  account: Account<T>;
  /** By id: an item that is added again replaces the waiting one. */
  waiting: Map<string, T>;
  running: number;
  /** The store has more due rows of this endpoint. */
  behind: boolean;
  /** Ends the wait for its pace. */
  paced: (() => void) | undefined;
}

const MIB = 1024 * 1024;
export const PERMITS = 2_048;
const HEALTHY = 64;
const BODY_BYTES = 128 * MIB;
const WAITING_BYTES = 16 * MIB;
const WAITING_EACH = 128;
/** So many where new ones arrive: those of a busy account's batch. Each has at most 1 KiB. */
const WAITING_NEW = 512;
/** An endpoint that does not answer takes 30 s per attempt, and a claim lasts 60 s. */
const WAITING_FAILING = 4;
/** A sixth of a claim: several replicas share a pace. */
const CLAIMED_MS = 10_000;

/**
 * Waiting deliveries by account and endpoint, and the permits to send them: 2,048 in all, shared by account and within an account by
 * endpoint (`shareOf`), at most 64 for an endpoint and one while it fails, in each process. An attempt in flight is never cancelled: an account that holds
 * more than its share gets no further permits until enough of its attempts have ended. The endpoint with the fewest attempts in flight is
 * next. Bodies in flight (128 MiB) and waiting rows (16 MiB) are shared in the same way, in bytes.
 */
export function createQueues<T extends Queued>({ run, pacing, after, waitingBytes, bodyBytes, since, refill }: QueuesOptions<T>) {
  const accounts = new Map<string, Account<T>>();
  const failing = createFailing();
  /** Endpoints with waiting items and free permits of their own, least recently started first. */
  const ready = new Set<Endpoint<T>>();
  const sum = { running: 0, bodies: 0, waiting: 0 };
  let stopped = false;
  let ended: (() => void) | undefined;

  const find = (account: string, id: string): Endpoint<T> | undefined => accounts.get(account)?.endpoints.get(id);
  const open = (name: string, id: string): Endpoint<T> => {
    let account = accounts.get(name);
    if (!account) accounts.set(name, (account = { name, endpoints: new Map(), running: 0, bodies: 0, waiting: 0 }));
    let endpoint = account.endpoints.get(id);
    if (!endpoint) account.endpoints.set(id, (endpoint = { id, account, waiting: new Map(), running: 0, behind: false, paced: undefined }));
    return endpoint;
  };
  const prune = ({ id, account, waiting, running }: Endpoint<T>): void => {
    if (waiting.size > 0 || running > 0) return;
    account.endpoints.delete(id);
    if (account.endpoints.size === 0) accounts.delete(account.name);
  };

  const waitsForPace = (endpoint: Endpoint<T>): boolean => {
    const ms = pacing.waitMs(endpoint.id);
    if (ms === 0) return false;
    endpoint.paced ??= after(ms, () => {
      endpoint.paced = undefined;
      mark(endpoint);
      pump();
    });
    return true;
  };

  const mark = (endpoint: Endpoint<T>): void => {
    const may = endpoint.waiting.size > 0 && endpoint.running < (failing.has(endpoint.id) ? 1 : HEALTHY) && !waitsForPace(endpoint);
    if (!may) ready.delete(endpoint);
    else if (!ready.has(endpoint)) ready.add(endpoint);
  };

  const mayStart = ({ account, running }: Endpoint<T>): boolean => {
    const others = sum.running - account.running;
    const limit = Math.max(1, shareOf(PERMITS, others));
    return (
      mayTake(account.running, others, PERMITS) &&
      mayTake(running, account.running - running, limit) &&
      mayTake(account.bodies, sum.bodies - account.bodies, BODY_BYTES)
    );
  };

  const hasLess = (one: Endpoint<T>, other: Endpoint<T>): boolean =>
    one.account.running === other.account.running ? one.running < other.running : one.account.running < other.account.running;

  const next = (): Endpoint<T> | undefined => {
    if (stopped || sum.running >= PERMITS) return undefined;
    let best: Endpoint<T> | undefined;
    for (const endpoint of ready) if ((!best || hasLess(endpoint, best)) && mayStart(endpoint)) best = endpoint;
    return best;
  };

  const weigh = (account: Account<T>, what: 'running' | 'bodies' | 'waiting', change: number): void => {
    account[what] += change;
    sum[what] += change;
  };

  const start = (endpoint: Endpoint<T>): void => {
    const [id, item] = endpoint.waiting.entries().next().value as [string, T];
    const { account } = endpoint;
    const body = bodyBytes(item);
    endpoint.waiting.delete(id);
    endpoint.running += 1;
    weigh(account, 'waiting', -waitingBytes(item));
    weigh(account, 'running', 1);
    weigh(account, 'bodies', body);
    ready.delete(endpoint);
    const isPaced = pacing.begin(endpoint.id);
    mark(endpoint);
    const over = (outcome: Outcome): void => {
      if (outcome === 'paced') putBack(endpoint, item);
      else if (outcome !== 'skipped') failing.note(endpoint.id, outcome === 'failed');
      endpoint.running -= 1;
      weigh(account, 'running', -1);
      weigh(account, 'bodies', -body);
      mark(endpoint);
      pump();
      if (endpoint.behind && !stopped && capacityOf(endpoint) * 2 >= capOf(endpoint.id)) refill(account.name, endpoint.id);
      prune(endpoint);
      if (sum.running === 0) ended?.();
    };
    // Behind undici's own, which frees the connection: the next one would open another.
    void run(item, isPaced).then((outcome) => setImmediate(over, outcome));
  };

  /** Before those that came later. */
  const putBack = (endpoint: Endpoint<T>, item: T): void => {
    if (endpoint.waiting.has(item._id)) return; // it was claimed anew
    endpoint.waiting = new Map([[item._id, item], ...endpoint.waiting]);
    weigh(endpoint.account, 'waiting', waitingBytes(item));
  };

  const pump = (): void => {
    for (let endpoint = next(); endpoint; endpoint = next()) start(endpoint);
  };

  /** At a pace, as many as begin before their claims end. */
  const capOf = (id: string, most = WAITING_EACH): number =>
    Math.min(failing.has(id) ? WAITING_FAILING : most, pacing.within(id, CLAIMED_MS));
  const capacityOf = ({ id, waiting }: Endpoint<T>): number => Math.max(0, capOf(id) - waiting.size);
  const capacityBelow = (cap: number, account: string, id: string): number => {
    if (stopped) return 0;
    const own = accounts.get(account)?.waiting ?? 0;
    if (!mayTake(own, sum.waiting - own, WAITING_BYTES)) return 0;
    return Math.max(0, cap - (find(account, id)?.waiting.size ?? 0));
  };

  return {
    /** How many more rows an endpoint may claim: 0 when its queue is full or its account's rows fill their share of memory. */
    capacity: (account: string, id: string): number => capacityBelow(capOf(id), account, id),
    /** The same for new rows, which need no claim when they have capacity. */
    capacityForNew: (account: string, id: string): number => capacityBelow(capOf(id, WAITING_NEW), account, id),
    /** Adds all items; the caller has checked `capacity`. */
    add(items: readonly T[]): void {
      for (const item of items) {
        const endpoint = open(item.account, item.endpoint_id);
        const before = endpoint.waiting.get(item._id);
        weigh(endpoint.account, 'waiting', waitingBytes(item) - (before ? waitingBytes(before) : 0));
        endpoint.waiting.set(item._id, item);
        mark(endpoint);
      }
      pump();
    },
    /**
     * Notes whether the store has more due rows of the endpoint; `refill` is called when there is capacity. Ignored for an endpoint with
     * nothing waiting or in flight: nothing of it ends, so nothing would call `refill`.
     */
    behind(account: string, id: string, more: boolean): void {
      const endpoint = find(account, id);
      if (endpoint) endpoint.behind = more;
      if (endpoint) prune(endpoint);
    },
    /** Notes whether the endpoint fails by what is stored, which another process may have written. True: it does, and this attempt waits until no other is in flight. */
    note(account: string, id: string, fails: boolean): boolean {
      failing.note(id, fails);
      return fails && (find(account, id)?.running ?? 0) > 1;
    },
    /** Since when the items wait that are next of the endpoints that do not fail: the earliest of them; undefined when none waits. */
    waitingSince(): number | undefined {
      let earliest: number | undefined;
      for (const { endpoints } of accounts.values())
        for (const { id, waiting } of endpoints.values()) {
          const [next] = waiting.values();
          if (next && !failing.has(id)) earliest = Math.min(earliest ?? Infinity, since(next));
        }
      return earliest;
    },
    /** Starts nothing more. Returns the items that still wait. */
    stop(): T[] {
      stopped = true;
      for (const { endpoints } of accounts.values()) for (const { paced } of endpoints.values()) paced?.();
      return [...accounts.values()].flatMap(({ endpoints }) => [...endpoints.values()].flatMap(({ waiting }) => [...waiting.values()]));
    },
    /** Resolves when nothing is in flight; call `stop` first. */
    async drain(): Promise<void> {
      if (sum.running > 0) await new Promise<void>((resolve) => (ended = resolve));
    },
  };
}

export type Queues<T extends Queued> = ReturnType<typeof createQueues<T>>;
