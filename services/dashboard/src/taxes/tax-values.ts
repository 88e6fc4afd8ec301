import type { Resource } from '../api/types.ts';
import { readDecimal } from '../format/decimals.ts';
import type { Decimal } from '../format/numbers.ts';

/** One tax as it is typed. `code`: '' for what follows from the rate. */
export interface TaxValues {
  category: string;
  rate: string;
  code: string;
  exemption_reason: string;
  exemption_code: string;
  retained: boolean;
  surcharge: string;
}

export const plainTax = (rate: string): TaxValues => ({
  ...{ category: 'VAT', rate, code: '', exemption_reason: '', exemption_code: '', retained: false, surcharge: '' },
});

/** The taxes of a line or product with one more. The issuer's default (null) becomes the first of them: a list replaces it. */
export const withOneMore = (taxes: readonly TaxValues[] | null, defaultRate: Decimal | null): TaxValues[] => [
  ...(taxes ?? [plainTax(defaultRate ?? '')]),
  plainTax(''),
];

const orNull = (text: string): string | null => text.trim() || null;

export const taxValues = (tax: Resource<'Tax'>): TaxValues => ({
  ...{ category: tax.category, rate: tax.rate, code: tax.code, retained: tax.retained ?? false },
  ...{ exemption_reason: tax.exemption_reason ?? '', exemption_code: tax.exemption_code ?? '', surcharge: tax.surcharge ?? '' },
});

/** What is sent of a tax. */
export function taxOf(tax: TaxValues): Resource<'TaxInput'> {
  const [reason, code, surcharge] = [orNull(tax.exemption_reason), orNull(tax.exemption_code), orNull(readDecimal(tax.surcharge))];
  return {
    ...{ category: tax.category.trim(), rate: readDecimal(tax.rate), retained: tax.retained },
    ...(tax.code && { code: tax.code as Resource<'TaxCode'> }),
    ...(reason !== null && { exemption_reason: reason }),
    ...(code !== null && { exemption_code: code }),
    ...(surcharge !== null && { surcharge }),
  };
}
