import type { CreateProduct, UpdateProduct } from '@svc/contracts/product/requests';
import { type Details, invalid, mergeMetadata } from '@svc/kernel';
import { exactText, taxOf } from '@svc/totals/line';
import type { Tax } from '@svc/totals/terms';
import { checkTaxes } from '@svc/totals/totals';
import type { ProductFields } from './state.ts';

/** A create body, or a merge patch (RFC 7396): an absent field stays, null removes it, `metadata` merges, taxes are replaced whole. */
export type ProductBody = CreateProduct | UpdateProduct;

/** The product after `body`. Throws validation_error for a missing name and for taxes that exclude each other. */
export function mergedFields(body: ProductBody, now: ProductFields | null): ProductFields {
  const name = body.name ?? now?.name;
  if (name === undefined) throw invalid({ name: ['is required'] });
  const taxes = mergedTaxes(body, now);
  const problems: Details = {};
  if (taxes) checkTaxes(problems, taxes, () => 'taxes');
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return {
    name,
    description: merged(body.description, now?.description),
    sku: merged(body.sku, now?.sku),
    unit: body.unit ?? now?.unit ?? 'C62',
    unit_price: merged(priceOf(body), now?.unit_price),
    currency: merged(body.currency, now?.currency),
    taxes,
    active: body.active ?? now?.active ?? true,
    metadata: body.metadata === undefined ? (now?.metadata ?? {}) : mergeMetadata(now?.metadata ?? {}, body.metadata),
  };
}

const merged = <Value>(given: Value | null | undefined, now: Value | null | undefined): Value | null =>
  given === undefined ? (now ?? null) : given;

const priceOf = ({ unit_price: price }: ProductBody): string | null | undefined =>
  price === undefined || price === null ? price : exactText(price);

function mergedTaxes({ taxes, tax_rate: rate }: ProductBody, now: ProductFields | null): Tax[] | null {
  if (taxes) return taxes.map(taxOf);
  if (rate !== undefined && rate !== null) return [taxOf({ rate })];
  return taxes === null || rate === null ? null : (now?.taxes ?? null);
}
