import { Resolver } from 'node:dns/promises';
import { type Clock, isFresh, recentlyUsed } from '@svc/kernel';

/** Looks up all addresses of a name. Rejects when it has none and when `signal` aborts. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Resolves a name to all its addresses. Rejects when it has none, or none within `withinMs`. */
export type Resolve = (host: string, withinMs: number) => Promise<string[]>;

const TRY_MS = 2_000;
const TRIES = 4;

/**
 * Queries name servers (`host:port`; by default the machine's) for A and AAAA records over sockets. Unlike getaddrinfo, a name that does
 * not answer blocks no thread and can be cancelled. It does not read /etc/hosts. IPv4 addresses come first.
 */
export const dnsLookup =
  (servers?: string[]): Lookup =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

/** Concurrent lookups. Attempts hold a permit while they resolve, so more are unlikely. Each takes a socket. */
const NAMES = 4096;
/** Addresses of a name that are used: its owner decides how many it has, and they are kept. */
const MOST_ADDRESSES = 64;
/** How long an answer is reused. The checked address is the one that is connected to, so an old answer is as safe as a new one. */
const KEPT_MS = 5_000;

interface Asked {
  answer: Promise<string[]>;
  askers: number;
  stop: AbortController;
}

/**
 * Shares one lookup of a name among concurrent callers, reuses its answer for 5 s, and cancels it when the last caller has given up.
 * Lookups of different names do not wait for each other.
 */
export function sharedResolve(lookup: Lookup, clock: Clock): Resolve {
  const asked = new Map<string, Asked>();
  const kept = recentlyUsed<{ addresses: string[]; at: number }>(NAMES);

  const start = (host: string): Asked => {
    const stop = new AbortController();
    const answer = lookup(host, stop.signal).then((addresses) => addresses.slice(0, MOST_ADDRESSES));
    const one: Asked = { answer, askers: 0, stop };
    asked.set(host, one);
    answer.then(
      (addresses) => {
        forget(host, one);
        kept.set(host, { addresses, at: clock.now() });
      },
      () => forget(host, one),
    );
    return one;
  };
  const forget = (host: string, one: Asked): void => {
    if (asked.get(host) === one) asked.delete(host);
  };

  return async (host, withinMs) => {
    const known = kept.get(host);
    if (known && isFresh(known.at, clock.now(), KEPT_MS)) return known.addresses;
    if (!asked.has(host) && asked.size >= NAMES) throw failure('EAGAIN', 'too many names are being resolved');
    const one = asked.get(host) ?? start(host);
    one.askers += 1;
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(withinMs, () => late.reject(failure('ETIMEOUT', `${host} did not resolve within ${withinMs} ms`)));
    try {
      return await Promise.race([one.answer, late.promise]);
    } finally {
      cancel();
      one.askers -= 1;
      if (one.askers === 0) {
        forget(host, one);
        one.stop.abort();
      }
    }
  };
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });
