import { currencyDecimals, decimal, toText } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import type { Item } from '@svc/totals/line';
import type { Adjustment, DocumentAdjustment, Tax, Totals } from '@svc/totals/terms';
import { totalsOf } from '@svc/totals/totals';
import type { InvoiceContent, NumberedInvoice } from '../state.ts';
import { inState } from './samples.ts';

const vat = (rate: string, over: Partial<Tax> = {}): Tax => ({
  ...{ category: 'VAT', rate, code: rate === '0' ? 'Z' : 'S', retained: false },
  ...over,
});
const withheld: Tax = { category: 'IRPF', rate: '15', code: 'S', retained: true };
const eco: Tax = { category: 'ECO', rate: '3.5', code: 'S', retained: false };

/** Invoices of every mode, and what each credit note over a part of one is of; from one seed. */
export function randomInvoices(seed: number) {
  const random = seeded(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const oneIn = (count: number): boolean => upTo(count - 1) === 0;
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length - 1)] as T;

  const percent = (): Adjustment => ({ percent: pick(['3', '12.5', '33.3', '7.77']) });

  function randomContent(): InvoiceContent {
    const [currency, unit] = pick([
      ['EUR', '1e-2'],
      ['EUR', '1e-2'],
      ['EUR', '1e-2'],
      ['JPY', '1'],
      ['BHD', '1e-3'],
    ] as const);
    const prices_include_tax = oneIn(2);
    const sets: Tax[][] = [[vat('20')], [vat('21'), withheld], [vat('10', { surcharge: '1.4' })], [vat('5.5')], [vat('0')], [], [withheld]];
    if (!prices_include_tax) sets.push([vat('20'), eco], [eco]);
    const pool = [pick(sets), pick(sets), pick(sets)].slice(0, 1 + upTo(2));
    const price = (): string =>
      toText(
        decimal(`${1 + upTo(20_000)}`)
          .times(unit)
          .times(oneIn(3) ? '1.005' : '1'),
      );
    const item = (): Item => ({
      ...{ product_id: null, description: 'x', unit: 'C62', unit_price: price(), taxes: pick(pool) },
      quantity: pick(['1', '1', '2', '3', '7', '2.5']),
      discounts: oneIn(3) ? [percent()] : [],
      charges: oneIn(6) ? [percent()] : [],
    });
    const ofDocument = (): DocumentAdjustment => ({ ...percent(), ...(oneIn(3) ? { taxes: pick(pool) } : {}) });
    return {
      ...(inState('submitted').content as InvoiceContent),
      ...{ currency, prices_include_tax, rounding: pick(['line', 'precise'] as const) },
      items: Array.from({ length: 1 + upTo(oneIn(8) ? 40 : 6) }, item),
      discounts: oneIn(3) ? [ofDocument()] : [],
      charges: oneIn(4) ? [ofDocument()] : [],
    };
  }

  /** The lines, some of them in parts of their quantity, in any order: what each credit note is of. */
  function pieces({ items }: InvoiceContent): Item[][] {
    const parts = items.flatMap((item): Item[] => {
      if (!oneIn(3)) return [item];
      const half = toText(decimal(item.quantity).times('0.5'));
      return [
        { ...item, quantity: half },
        { ...item, quantity: half },
      ];
    });
    const notes: Item[][] = [];
    for (const part of parts.sort(() => random() - 0.5)) {
      if (notes.length > 0 && oneIn(4)) notes.at(-1)?.push(part);
      else notes.push([part]);
    }
    return notes;
  }

  return { randomContent, pieces };
}

/** By its own rounding. */
export const ownTotals = (content: InvoiceContent): Totals => totalsOf({ ...content, decimals: currencyDecimals(content.currency) ?? 0 });

/** The invoice as it is registered. */
export const issuedOf = (content: InvoiceContent): NumberedInvoice => ({
  ...(inState('submitted') as NumberedInvoice),
  content,
  totals: ownTotals(content),
});
