import { createHash } from 'node:crypto';
import { Conflict, DomainError, invalid, streamOf, type Clock, type EventMetadata, type Ids, type Streams } from '@svc/kernel';

/** Data of `SkuClaimed`. The last one of a stream counts, as long as its product has the SKU or is about to get it. */
export interface SkuClaimed {
  at: string;
  sku: string;
  /** Id of the product that takes the SKU. */
  product: string;
  /** How many events the product's stream has: the claim is for the next one, and for no later one. */
  events: number;
}

/** The version of `SkuClaimed` that is written today. */
export const SKU_CLAIMED = { type: 'SkuClaimed', v: 1 } as const;

export interface Claiming extends Omit<SkuClaimed, 'at'> {
  at: string;
  metadata: Omit<EventMetadata, 'v'>;
}

type Tenant = Pick<EventMetadata, 'account' | 'env'>;

/** What claims depend on. */
interface Dependencies {
  store: Streams;
  ids: Ids;
  clock: Clock;
  products: {
    /** Whether the product has the SKU, and how many events its stream has. */
    look(tenant: Tenant, product: string, sku: string): Promise<{ holds: boolean; events: number }>;
    /** Appends an event to the product's stream at `claim.events`, if no other is there, so that what the claim was made for cannot be appended. */
    withdraw(claim: SkuClaimed, metadata: Omit<EventMetadata, 'v'>): Promise<void>;
  };
}

const ATTEMPTS = 20;
/** A claim whose product has not come this long after it was found is withdrawn: together 1.3 s. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640];

/**
 * No two products of an account and environment have one SKU at the same time, whatever the number of processes, across crashes and lost answers.
 * Before a product takes a SKU it claims it in the SKU's own stream, at the exact revision. The claim holds for one revision of the product's stream. So another
 * product can take the SKU over once that stream is longer and the product does not have the SKU: it has another one now, was deleted, or the claim
 * was withdrawn by an event at that very revision. No event releases a SKU, and a crash leaves nothing to be fixed.
 */
export function createSkus({ store, ids, clock, products }: Dependencies) {
  /** Whether the product of a claim has the SKU, may still get it, or will not get it by this claim. */
  async function fate({ product, sku, events }: SkuClaimed, tenant: Tenant): Promise<'held' | 'pending' | 'over'> {
    const now = await products.look(tenant, product, sku);
    if (now.holds) return 'held';
    return now.events > events ? 'over' : 'pending';
  }

  /** As `fate`; waits for a pending one and withdraws it if it stays so. */
  async function settled(claim: SkuClaimed, metadata: Claiming['metadata']): Promise<'held' | 'over' | 'pending'> {
    for (const wait of WAITS_MS) {
      const is = await fate(claim, metadata);
      if (is !== 'pending') return is;
      await clock.sleep(wait);
    }
    await products.withdraw(claim, metadata);
    return fate(claim, metadata);
  }

  return {
    /**
     * Claims the SKU for the product's next event; repeated it claims nothing. The caller appends that event at the exact revision `events`. Throws
     * validation_error naming `sku` where another product has it.
     */
    async claim({ metadata, ...wanted }: Claiming): Promise<void> {
      const stream = skuStream(metadata, wanted.sku);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const [last] = await store.tail(stream, 1);
        const claim = last?.data as SkuClaimed | undefined;
        // Its own earlier claims are over: the stream has grown since. A later one shows that the caller's state is old, and its append will fail.
        if (claim?.product === wanted.product && claim.events >= wanted.events) return;
        if (claim && claim.product !== wanted.product) {
          const is = await settled(claim, metadata);
          if (is === 'held') throw taken(claim);
          if (is === 'pending') continue;
        }
        const { type, v } = SKU_CLAIMED;
        try {
          await store.append(stream, last ? last.revision : 'none', [{ id: ids.next(), type, data: wanted, metadata: { ...metadata, v } }]);
          return;
        } catch (error) {
          if (!(error instanceof Conflict)) throw error;
        }
      }
      throw crowded();
    },
  };
}

/** By digest, since a SKU may contain any letters. */
const skuStream = ({ account, env }: Tenant, sku: string): string =>
  streamOf('sku', env, account, createHash('sha256').update(sku).digest('hex'));

const taken = ({ sku, product }: SkuClaimed): DomainError =>
  invalid({ sku: [`${sku} is that of the product ${product}. Send another, or change or delete that product.`] });
const crowded = (): DomainError =>
  new DomainError('service_unavailable', 'Others are claiming this SKU. Repeat the request.', undefined, 1);
