import { type Decider, invalidState, sameJson } from '@svc/kernel';
import type { ProductEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { mergedFields, type ProductBody } from './fields.ts';
import type { ProductFields, ProductState } from './state.ts';

export type ProductCommand =
  | { type: 'create'; at: string; id: string; livemode: boolean; body: ProductBody }
  | { type: 'update'; at: string; body: ProductBody }
  | { type: 'delete'; at: string }
  /** `claimed`: how many events the stream had when the SKU was claimed; `stored`: how many it has. */
  | { type: 'withdraw_claim'; at: string; sku: string; claimed: number; stored: number };

/** Whether the product may have its SKU is decided before, by a claim (`skus.ts`). Repeating a creation or a deletion changes nothing. */
export function decide(command: ProductCommand, state: ProductState | null): ProductEvent[] {
  const { at } = command;
  switch (command.type) {
    case 'create': {
      if (state !== null) return [];
      const { id, livemode, body } = command;
      const created = { id, livemode, ...mergedFields(body, null), version: 1, created_at: at, deleted_at: null };
      return [{ type: 'ProductCreated', data: { at, ...created } }];
    }
    case 'update':
      return update(command, existing(state));
    case 'delete': {
      const now = existing(state);
      return now.deleted_at === null ? [{ type: 'ProductDeleted', data: whole(at, now, { active: false, deleted_at: at }) }] : [];
    }
    case 'withdraw_claim': {
      const { sku, claimed, stored } = command;
      return claimed === stored ? [{ type: 'ProductClaimWithdrawn', data: { at, sku, product: state } }] : [];
    }
    default:
      return command satisfies never;
  }
}

function update({ at, body }: ProductCommand & { type: 'update' }, state: ProductState): ProductEvent[] {
  if (state.deleted_at !== null) throw invalidState('update', 'deleted', []);
  const fields = mergedFields(body, state);
  const isSame = (Object.keys(fields) as (keyof ProductFields)[]).every((field) => sameJson(fields[field], state[field]));
  return isSame ? [] : [{ type: 'ProductUpdated', data: whole(at, state, fields) }];
}

function existing(state: ProductState | null): ProductState {
  if (state === null) throw new TypeError('a product is created first');
  return state;
}

/** The complete state of the product after `changes`. */
function whole(at: string, { updated_at: _, ...state }: ProductState, changes: Partial<ProductState>) {
  return { at, ...state, ...changes, version: state.version + 1 };
}

export const productDecider: Decider<ProductState | null, ProductCommand, ProductEvent> = { initialState: null, decide, evolve };
