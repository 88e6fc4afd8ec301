import type { Resource } from '../../api/types.ts';
import { showMoney } from '../../format/numbers.ts';
import { taxValues } from '../../taxes/tax-values.ts';
import { Suggest } from '../../ui/suggest.tsx';
import { Cell, TextCell } from './cell.tsx';
import type { LineTools } from './product-source.ts';
import type { LineValues } from './values.ts';

interface DescriptionProps {
  line: LineValues;
  label: string;
  tools: LineTools;
  error: string | undefined;
  change: (to: Partial<LineValues>) => void;
}

/** What is sold: any text, or a product, which brings its unit, price and taxes. */
export function Description({ line, label, tools, error, change }: DescriptionProps) {
  const { products, currency } = tools;
  if (line.description.includes('\n'))
    return (
      <TextCell
        label={label}
        error={error}
        value={line.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    );
  return (
    <Suggest
      label={label}
      value={line.description}
      // Without a description a line is of no product.
      onChange={(description) => change({ description, ...(description === '' && { product_id: null }) })}
      choose={(product) => change(ofProduct(product, currency))}
      source={products}
      optionOf={optionOf}
      opens="text"
      input={(props) => <Cell label={label} error={error} maxLength={2_000} {...props} />}
    />
  );
}

type Product = Resource<'Product'>;

const optionOf = ({ id, name, sku, unit_price: price, currency }: Product) => ({
  id,
  title: name,
  about: [sku, price !== null && currency !== null ? showMoney(price, currency) : undefined].filter(Boolean).join(' · '),
});

/** A price in another currency is not the price here. */
const ofProduct = (product: Product, currency: string): Partial<LineValues> => ({
  ...{ product_id: product.id, description: product.description ?? product.name, unit: product.unit },
  ...(product.unit_price !== null && (product.currency ?? currency) === currency && { unit_price: product.unit_price }),
  taxes: product.taxes?.map(taxValues) ?? null,
});
