import type { ItemInput } from '@svc/contracts/document/line';
import {
  createCommandHandler,
  iso,
  notFound,
  storedEvents,
  streamOf,
  turnOf,
  uidOf,
  versionAt,
  type Clock,
  type Env,
  type EventMetadata,
  type Folded,
  type Ids,
  type Streams,
} from '@svc/kernel';
import { decide, productDecider, type ProductCommand } from './domain/decide.ts';
import { productEventVersions, type ProductEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { Products as Named } from './domain/lines.ts';
import { holdsSku, type ProductState } from './domain/state.ts';
import { createSkus } from './skus.ts';

export const productEvents = storedEvents<ProductEvent>(productEventVersions);
/** Each event holds the whole state. */
export const isWhole = (): boolean => true;

/** Throws not_found for an id that is no product's. */
export function productStream(account: string, env: Env, id: string): string {
  if (uidOf('prod', id) === undefined) throw notFound('product');
  return streamOf('product', env, account, id);
}

/** Streams that a request reads at the same time. */
const AT_ONCE = 8;

/** The products' streams, and the claims of their SKUs. */
export function createProducts({ store, ids, clock }: { store: Streams; ids: Ids; clock: Clock }) {
  const handler = createCommandHandler({ streams: store, decider: productDecider, ...productEvents, ids, isWhole, turnOf });

  const skus = createSkus({
    ...{ store, ids, clock },
    products: {
      async look({ account, env }, product, sku) {
        const { state, revision } = await handler.load(productStream(account, env, product));
        return { holds: holdsSku(state, sku), events: versionAt(revision) };
      },
      async withdraw({ product, sku, events: claimed }, metadata) {
        const { account, env } = metadata;
        const at = iso(clock.now());
        // Without the command id, which would have this stream's later commands of the same id taken for repeated.
        const { command_id: _, ...own } = metadata;
        await handler.handle(
          productStream(account, env, product),
          (_state, stored) => ({ type: 'withdraw_claim', at, sku, claimed, stored }),
          own,
        );
      },
    },
  });

  /** The stored state; undefined for an id that this account and environment does not have. */
  async function find(account: string, env: Env, id: string): Promise<ProductState | undefined> {
    if (uidOf('prod', id) === undefined) return undefined;
    return (await handler.load(productStream(account, env, id))).state ?? undefined;
  }

  return {
    find,

    /** Carries out a command, after a claim of the SKU that it gives the product. Throws what `decideOn`, the decision and the claim throw. */
    handle: (
      { account, env, id }: { account: string; env: Env; id: string },
      decideOn: (state: ProductState | null) => ProductCommand,
      metadata: Omit<EventMetadata, 'v'>,
    ) =>
      handler.handle(
        productStream(account, env, id),
        async (state, events) => {
          const command = decideOn(state);
          const sku = newSku(command, state);
          if (sku !== null) await skus.claim({ at: command.at, sku, product: id, events, metadata });
          return command;
        },
        metadata,
      ),

    /** The stored state, of deleted products too. Throws not_found. */
    async current(account: string, env: Env, id: string): Promise<Folded<ProductState>> {
      const { state, ...folded } = await handler.load(productStream(account, env, id));
      if (state === null) throw notFound('product');
      return { ...folded, state };
    },

    /** The products that lines name, as the store has them now; inactive and deleted ones too. */
    async named(account: string, env: Env, items: readonly ItemInput[] = []): Promise<Named> {
      const wanted = [...new Set(items.flatMap(({ product_id }) => product_id ?? []))];
      const found = new Map<string, ProductState>();
      for (let n = 0; n < wanted.length; n += AT_ONCE) {
        const some = await Promise.all(wanted.slice(n, n + AT_ONCE).map((id) => find(account, env, id)));
        for (const product of some) if (product) found.set(product.id, product);
      }
      return found;
    },
  };
}

/** The SKU that the command gives the product; null: none, or the one that it has. Throws what the decision throws. */
function newSku(command: ProductCommand, state: ProductState | null): string | null {
  const sku = decide(command, state).reduce(evolve, state)?.sku ?? null;
  return sku === state?.sku ? null : sku;
}

export type Products = ReturnType<typeof createProducts>;
