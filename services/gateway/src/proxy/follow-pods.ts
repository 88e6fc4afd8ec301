import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Upstream } from './upstream.ts';

/** Pause between two rounds, in milliseconds. The cluster's DNS says for 5 s what it knows. */
const EVERY_MS = 2_000;
/** More are not asked by themselves: each has a pool of its own. */
const MOST_ADDRESSES = 256;

interface Following {
  /** What the first part of a host's name ends with where all addresses of its processes are known, such as `-pods`. */
  suffix: string;
  clock: Pick<Clock, 'after'>;
  logger: Logger;
}

/**
 * Keeps each process behind the upstreams' origins a replica of its own, by the addresses of a name beside the origin's (in Kubernetes a headless Service), so that each gets the same
 * share of the requests, one that is added too, and one that hangs is known by its address. Where that name has no address, the origin is asked itself; while names are not resolved,
 * the last addresses count. Returns what ends it.
 */
export function followPods(upstreams: readonly Upstream[], { suffix, clock, logger }: Following): () => void {
  let cancel = (): void => undefined;
  let ended = false;
  const known = new Map<string, string>();

  const ask = async (upstream: Upstream, origin: string): Promise<void> => {
    const name = nameOfPods(origin, suffix);
    if (name === undefined) return;
    const addresses = await addressesOf(name);
    if (ended || addresses === undefined) return;
    upstream.leadsTo(origin, addresses);
    const now = addresses.join();
    if ((known.get(origin) ?? '') === now) return;
    known.set(origin, now);
    logger.info({ upstream: upstream.name, origin, addresses }, 'the replicas of a service are others');
  };
  const round = async (): Promise<void> => {
    // One at a time: a lookup that waits for its answer keeps one of the few threads of the process.
    for (const upstream of upstreams) for (const origin of upstream.origins) if (!ended) await ask(upstream, origin);
    if (!ended) cancel = clock.after(EVERY_MS, () => void round());
  };
  void round();
  return () => {
    ended = true;
    cancel();
  };
}

/** `invoicing-pods.billing` of `http://invoicing.billing:3000`; undefined: the origin has an address. */
function nameOfPods(origin: string, suffix: string): string | undefined {
  const host = new URL(origin).hostname;
  if (isIP(host.replace(/^\[|\]$/g, ''))) return undefined;
  const [first = '', ...rest] = host.split('.');
  return [first + suffix, ...rest].join('.');
}

/** In a steady order, of one family; none where the name does not exist; undefined where that is not known. */
async function addressesOf(name: string): Promise<string[] | undefined> {
  try {
    const found = await lookup(name, { all: true, order: 'ipv4first' });
    const same = found.filter(({ family }) => family === found[0]?.family).map(({ address }) => address);
    return [...new Set(same)].sort().slice(0, MOST_ADDRESSES);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTFOUND' ? [] : undefined;
  }
}
