import type { Resource } from '../../api/types.ts';
import type { Invoice } from '../../documents/documents.ts';

type Adjustment = Resource<'Adjustment'>;
type Tax = Resource<'Tax'>;

/** What is null is not sent: it is what is read where nothing was given. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const taxOf = (tax: Tax) => given(tax) as unknown as Resource<'TaxInput'>;
const adjustmentOf = ({ taxes, ...rest }: Adjustment) =>
  given({ ...rest, taxes: taxes?.map(taxOf) ?? null }) as Resource<'AdjustmentInput'>;

const itemOf = (item: Resource<'Item'>): Resource<'ItemInput'> => {
  const { product_id, description, quantity, unit, unit_price, discounts, charges, taxes } = item;
  const [less, more] = [discounts.map(adjustmentOf), charges.map(adjustmentOf)];
  return { ...given({ product_id, description, quantity, unit, unit_price }), discounts: less, charges: more, taxes: taxes.map(taxOf) };
};

/** A draft with the customer and the lines of an invoice. Dates, number and what programs noted belong to the old one alone. */
export function copyOf(invoice: Invoice): Resource<'CreateInvoice'> {
  const { customer_id, currency, prices_include_tax, rounding, series, notes, payment_method } = invoice;
  return {
    ...{ customer_id, currency, prices_include_tax, series, rounding: rounding as Resource<'Rounding'> },
    ...{ discounts: invoice.discounts.map(adjustmentOf), charges: invoice.charges.map(adjustmentOf), items: invoice.items.map(itemOf) },
    ...(given({ notes, payment_method }) as Pick<Resource<'CreateInvoice'>, 'notes' | 'payment_method'>),
  };
}
