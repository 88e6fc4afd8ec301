import type { ProductEvent } from './events.ts';
import type { ProductState } from './state.ts';

/** null: no such product. Each event holds the whole state. */
export function evolve(_: ProductState | null, event: ProductEvent): ProductState | null {
  switch (event.type) {
    case 'ProductCreated':
    case 'ProductUpdated':
    case 'ProductDeleted': {
      const { at, ...product } = event.data;
      return { ...product, updated_at: at };
    }
    case 'ProductClaimWithdrawn':
      return event.data.product;
    default:
      return event satisfies never;
  }
}
