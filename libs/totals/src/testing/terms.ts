import type { LineTerms, Tax } from '../terms.ts';

/** VAT at a rate, in percent. */
export const vat = (rate: string, over: Partial<Tax> = {}): Tax => ({ category: 'VAT', code: 'S', rate, retained: false, ...over });

/** One piece at 20 % VAT. */
export const line = (unit_price: string, over: Partial<LineTerms> = {}): LineTerms => ({
  quantity: '1',
  unit_price,
  discounts: [],
  charges: [],
  taxes: [vat('20')],
  ...over,
});

/** What a document adds to its lines. */
export const onDocument = { rounding: 'line' as const, prices_include_tax: false, discounts: [], charges: [] };
