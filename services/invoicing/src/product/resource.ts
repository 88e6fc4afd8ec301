import type { ProductResource } from '@svc/contracts/product/resource';
import { jsonNumber } from '@svc/kernel';
import { taxShape } from '@svc/totals/shape';
import type { ProductState } from './domain/state.ts';

/** The product as the API returns it. */
export const productResource = (product: ProductState): ProductResource => ({
  id: product.id,
  object: 'product',
  livemode: product.livemode,
  name: product.name,
  description: product.description,
  sku: product.sku,
  unit: product.unit,
  unit_price: product.unit_price === null ? null : jsonNumber(product.unit_price),
  currency: product.currency,
  taxes: product.taxes?.map(taxShape) ?? null,
  active: product.active,
  metadata: product.metadata,
  deleted_at: product.deleted_at,
  created_at: product.created_at,
  updated_at: product.updated_at,
  version: product.version,
});
