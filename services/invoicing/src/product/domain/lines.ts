import type { ItemInput } from '@svc/contracts/document/line';
import type { Details } from '@svc/kernel';
import { isUsable, type ProductState } from './state.ts';

/** The products that lines name, by id; those that do not exist are absent. */
export type Products = ReadonlyMap<string, ProductState>;

/**
 * Lines with what they omit copied from their products: description (the name where there is none), unit, price and taxes. A given field wins,
 * null included. `currency`: of the document; a price in another one is not copied. `held`: products that its lines name already: a line that says all
 * itself may go on naming one that is inactive or deleted since. `problems` by path.
 */
export function filledItems(
  items: readonly ItemInput[],
  { products, currency, held = [] }: { products: Products; currency: string; held?: readonly { product_id: string | null }[] },
): { items: readonly ItemInput[]; problems: Details } {
  const problems: Details = {};
  if (!items.some(({ product_id }) => typeof product_id === 'string')) return { items, problems };
  const known = new Set(held.map(({ product_id }) => product_id));
  const filled = items.map((item, n) => {
    if (typeof item.product_id !== 'string') return item;
    const product = products.get(item.product_id);
    if (!isUsable(product)) {
      if (known.has(item.product_id) && saysAll(item)) return item;
      problems[`items.${n}.product_id`] = [NO_PRODUCT];
      return { description: '', unit_price: 0, ...item };
    }
    const problem = item.unit_price === undefined ? priceProblem(product, currency) : undefined;
    if (problem) problems[`items.${n}.unit_price`] = [problem];
    return filledItem(item, product);
  });
  return { items: filled, problems };
}

const isTaxed = ({ taxes, tax_rate }: ItemInput): boolean => taxes !== undefined || tax_rate !== undefined;

/** Nothing is copied from its product. */
const saysAll = (item: ItemInput): boolean =>
  item.description !== undefined && item.unit !== undefined && item.unit_price !== undefined && isTaxed(item);

function filledItem(item: ItemInput, { name, description, unit, unit_price, taxes }: ProductState): ItemInput {
  return { description: description ?? name, unit, unit_price: unit_price ?? 0, ...(isTaxed(item) ? {} : { taxes }), ...item };
}

function priceProblem({ unit_price, currency: priced }: ProductState, currency: string): string | undefined {
  if (unit_price === null) return 'is required: the product has no price.';
  if (priced !== null && priced !== currency) return `is required in ${currency}: the product is priced in ${priced}.`;
  return undefined;
}

const NO_PRODUCT =
  'There is no such product, or it is inactive or was deleted. Check the id, and that the key is of the same environment; or send description, unit_price and taxes without it.';
