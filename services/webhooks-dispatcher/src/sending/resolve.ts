import { lookup as dnsLookup } from 'node:dns/promises';
import type { Clock } from '@svc/kernel';

/** Asks for all addresses of a name; rejects when it has none. May hang for as long as the machine's resolver does. */
export type Lookup = (host: string) => Promise<string[]>;

/** Resolves a name to all its addresses; rejects when it has none, or when none came `withinMs`. */
export type Resolve = (host: string, withinMs: number) => Promise<string[]>;

export const systemLookup: Lookup = async (host) => (await dnsLookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** A lookup that hangs cannot be called off and keeps a thread of the process. */
const AT_ONCE = 32;
const NAMES = 4096;

/** At most 32 lookups at once, one per name for all who ask meanwhile; at most 4,096 names wait for their turn. */
export function boundedResolve(lookup: Lookup, clock: Clock): Resolve {
  const asked = new Map<string, Promise<string[]>>();
  const turns: (() => void)[] = [];
  let running = 0;

  const inTurn = async (host: string): Promise<string[]> => {
    if (running < AT_ONCE) running += 1;
    else await new Promise<void>((resolve) => turns.push(resolve));
    try {
      return await lookup(host);
    } finally {
      asked.delete(host);
      const next = turns.shift();
      if (next) next();
      else running -= 1;
    }
  };

  const shared = (host: string): Promise<string[]> => {
    let answer = asked.get(host);
    if (answer) return answer;
    if (asked.size >= NAMES) return Promise.reject(failure('EAGAIN', 'too many names are being resolved'));
    asked.set(host, (answer = inTurn(host)));
    return answer;
  };

  return (host, withinMs) =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(withinMs, () => reject(failure('ETIMEOUT', `${host} did not resolve within ${withinMs} ms`)));
      shared(host).then(resolve, reject).finally(cancel);
    });
}

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });
