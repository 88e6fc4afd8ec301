import type { ProductState } from './state.ts';

/** `at`: ISO 8601. The product after the event, so that its stream may have any length. */
type Changed = { at: string } & Omit<ProductState, 'updated_at'>;

export type ProductEvent =
  | { type: 'ProductCreated'; data: Changed }
  | { type: 'ProductUpdated'; data: Changed }
  | { type: 'ProductDeleted'; data: Changed }
  /**
   * Another product takes the SKU over, since the command that claimed it for this one did not come to its end. That command fails at its exact
   * revision if it continues. `product`: unchanged; null: it does not exist.
   */
  | { type: 'ProductClaimWithdrawn'; data: { at: string; sku: string; product: ProductState | null } };

/** The version of each event type that is written today. */
export const productEventVersions: Record<ProductEvent['type'], number> = {
  ProductCreated: 1,
  ProductUpdated: 1,
  ProductDeleted: 1,
  ProductClaimWithdrawn: 1,
};
