import { heldBy } from '@svc/document-store';
import { LRUCache } from 'lru-cache';
import type { WebhooksContext } from './context.ts';
import { CLAIM_MS, type Delivery } from './delivery.ts';
import type { Outcome, Queues } from './queues.ts';

/** Deliveries of one resource, the oldest first: each is sent when the first attempt of the one before has ended. */
export type Chain = [first: Delivery, ...behind: Delivery[]];

/** What is known of a delivery that waits behind another one: another version is not that one any more. */
type Behind = Pick<Delivery, '_id' | 'version'>;

/** The chains of an endpoint by resource. `isDone`: none is left, and the last attempt succeeded. */
interface Chains {
  running: Map<string, Running>;
  isDone: boolean;
}

/** A chain in this process. */
interface Running {
  /** The delivery that is claimed, or being claimed. */
  first: string;
  behind: Behind[];
}

/** Endpoints whose chains are known: of others, a step of the recovery goes on with them. */
const KNOWN = 1_000;

/** Whether a delivery waits behind another one, or for the step of its recovery: it is scheduled beyond the end of any claim, which is what `behindUntil` does. */
export const isBehind = ({ next_at, due_at }: Delivery, now: number): boolean => next_at !== null && next_at === due_at && next_at > now;

/**
 * When a delivery is due that nothing takes before, because no recovery runs any more. All that a recovery has in hand begins long before: one a minute
 * where the endpoint fails.
 */
export const behindUntil = (now: number): number => now + 12 * 3_600_000;

/**
 * Sends the deliveries of one resource one after the other, without a look at the store between two: when an attempt has succeeded, the process that made it claims and queues
 * the next one. Where it failed, the process died or another one has the delivery, a later `take` goes on. What waits is stored as scheduled for much later, so no look finds it, and a disabled
 * endpoint's is cancelled like any other. `done` is called when all that was taken of an endpoint has been sent, the last of it with success.
 */
export function createInTurn(
  { deliveries, clock, holder, logger }: Pick<WebhooksContext, 'deliveries' | 'clock' | 'holder' | 'logger'>,
  queues: Pick<Queues<Delivery>, 'capacity' | 'add'>,
  done: (endpoint: string) => void,
) {
  const known = new LRUCache<string, Chains>({ max: KNOWN });
  const claiming = new Set<Promise<void>>();

  const claim = async ({ _id, version }: Behind): Promise<Delivery | undefined> => {
    const now = clock.now();
    const [claimed] = await deliveries.claim({ _id, version }, { set: { ...heldBy(holder, now + CLAIM_MS), next_at: now } });
    return claimed;
  };

  const goOn = async (endpoint: string, resource: string, next: Behind): Promise<void> => {
    const claimed = await claim(next).catch((error: unknown) => {
      logger.error(
        { err: error, delivery: next._id },
        'the next delivery of a resource could not be claimed; its recovery goes on with it',
      );
      return undefined;
    });
    if (claimed) return queues.add([claimed]);
    const chains = known.get(endpoint)?.running; // It may have been taken anew meanwhile.
    if (chains?.get(resource)?.first === next._id) chains.delete(resource);
  };

  const tracked = async (work: Promise<void>): Promise<void> => {
    claiming.add(work);
    await work.finally(() => claiming.delete(work));
  };

  return {
    /**
     * Takes the chains of an endpoint: all that its recovery has in hand. Of those that nothing works on it claims and queues the first delivery, as far as there is capacity, and of
     * `most` chains; the others follow it.
     */
    take(endpoint: string, chains: readonly Chain[], most: number): Promise<void> {
      const before = known.get(endpoint)?.running;
      const after = new Map<string, Running>();
      const begun: [string, Behind][] = [];
      const now = clock.now();
      let free = Math.min(most, queues.capacity(chains[0]?.[0].account ?? '', endpoint));
      for (const chain of chains) {
        const [{ resource_id: resource = '' }] = chain;
        // Since the rows were read it may have gone on.
        const at = chain.findIndex(({ _id }) => _id === before?.get(resource)?.first);
        const first = chain[Math.max(0, at)] as Delivery;
        if (at < 0 && isBehind(first, now)) {
          if (free === 0) continue;
          free -= 1;
          begun.push([resource, first]);
        }
        const behind = chain.slice(Math.max(0, at) + 1).filter((row) => isBehind(row, now));
        after.set(resource, { first: first._id, behind });
      }
      known.set(endpoint, { running: after, isDone: false });
      return tracked(Promise.all(begun.map(([resource, first]) => goOn(endpoint, resource, first))).then(() => undefined));
    },
    /** An attempt of a delivery has ended. */
    ended({ _id, account, endpoint_id: endpoint, resource_id: resource = '' }: Delivery, outcome: Outcome): void {
      const chains = known.get(endpoint);
      const running = chains?.running.get(resource);
      if (!chains || running?.first !== _id || outcome === 'paced') return;
      const next = outcome === 'succeeded' ? running.behind.shift() : undefined;
      if (next && queues.capacity(account, endpoint) > 0) {
        running.first = next._id;
        return void tracked(goOn(endpoint, resource, next));
      }
      chains.running.delete(resource);
      chains.isDone = outcome === 'succeeded' && chains.running.size === 0;
      if (chains.isDone) done(endpoint);
    },
    /** All that was taken last of the endpoint has been sent. */
    isDone: (endpoint: string): boolean => known.get(endpoint)?.isDone ?? false,
    /** Resolves when what is being claimed is in the queues. */
    async stop(): Promise<void> {
      known.clear();
      await Promise.all(claiming);
    },
  };
}

export type InTurn = ReturnType<typeof createInTurn>;
