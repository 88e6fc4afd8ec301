import type { Tax } from '@svc/totals/terms';

export interface ProductFields {
  name: string;
  description: string | null;
  sku: string | null;
  /** UN/ECE recommendation 20. */
  unit: string;
  /** Canonical decimal text. */
  unit_price: string | null;
  /** ISO 4217, of the price; null: any document's. */
  currency: string | null;
  /** null: the issuer's default. */
  taxes: Tax[] | null;
  active: boolean;
  metadata: Record<string, string>;
}

export interface ProductState extends ProductFields {
  id: string;
  livemode: boolean;
  /** As callers see it, from 1. Not counted from the stream, which also holds withdrawn claims. */
  version: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

/** A product that new lines can be made from. */
export const isUsable = (product: ProductState | undefined): product is ProductState =>
  product !== undefined && product.active && product.deleted_at === null;

export const holdsSku = (product: ProductState | null, sku: string): boolean =>
  product !== null && product.sku === sku && product.deleted_at === null;
