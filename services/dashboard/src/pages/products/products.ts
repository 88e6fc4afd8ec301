import type { Resource } from '../../api/types.ts';
import { readDecimal } from '../../format/decimals.ts';
import { showPriceIn, showQuantity } from '../../format/numbers.ts';
import { taxOf, taxValues, type TaxValues } from '../../taxes/tax-values.ts';

export const productsAddress = '/app/products';
export const productAddress = (id: string): string => `${productsAddress}/${id}`;
/** What is read of products is below this key. */
export const productsKey = (env: string): readonly string[] => [env, 'products'];

export type Product = Resource<'Product'>;
/** Undefined while it is read. */
export type Basics = Resource<'IssuerBasics'> | undefined;

/** What the form holds, as it is typed. `taxes`: null for the issuer's default. */
export interface ProductValues {
  name: string;
  description: string;
  sku: string;
  unit: string;
  unit_price: string;
  currency: string;
  taxes: TaxValues[] | null;
}

export const noProduct: ProductValues = {
  ...{ name: '', description: '', sku: '', unit: '', unit_price: '', currency: '', taxes: null },
};

export const valuesOf = (product: Product): ProductValues => ({
  ...{ name: product.name, description: product.description ?? '', sku: product.sku ?? '', unit: product.unit },
  ...{ unit_price: product.unit_price ?? '', currency: product.currency ?? '' },
  taxes: product.taxes?.map(taxValues) ?? null,
});

const orNull = (text: string): string | null => text.trim() || null;

/** What is sent: an empty field is null. */
export const productOf = (values: ProductValues): Resource<'CreateProduct'> => ({
  name: values.name.trim(),
  ...{ description: orNull(values.description), sku: orNull(values.sku), unit_price: orNull(readDecimal(values.unit_price)) },
  ...{ currency: orNull(values.currency), taxes: values.taxes?.map(taxOf) ?? null },
  ...(values.unit.trim() && { unit: values.unit.trim() }),
});

/** A price stands in the currency of the product, or in the issuer's where it names none. */
export const priceOf = ({ unit_price: price, currency }: Product, issuer: Basics): string =>
  price === null ? '—' : showPriceIn(price, currency ?? issuer?.currency);

/** Rates of the product, or the one of the issuer where it has none of its own. */
export function ratesOf({ taxes }: Product, issuer: Basics): string {
  const ofIssuer = issuer?.default_tax_rate;
  const rates = taxes?.map(({ rate }) => rate) ?? (ofIssuer ? [ofIssuer] : []);
  return rates.map(showQuantity).join(' + ') || '—';
}
