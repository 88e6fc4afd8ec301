import { decimal, DomainError, percentOf, type Decimal } from '@svc/kernel';
import { amountAt, parsed } from '@svc/document-files/ubl/testing/parsed';
import { preceding } from '@svc/document-files/ubl/testing/documents';
import { rules } from '@svc/document-files/ubl/testing/rules';
import { ublOf } from '@svc/document-files/ubl/ubl';
import type { TaxRow } from '@svc/totals/terms';
import { decide } from './domain/decide.ts';
import { evolve } from './domain/evolve.ts';
import { settled } from './domain/settled.ts';
import type { InvoiceContent, InvoiceState, NumberedInvoice } from './domain/state.ts';
import { issuedOf, ownTotals, randomInvoices } from './domain/testing/random-invoices.ts';
import { at } from './domain/testing/samples.ts';
import { invoiceResource } from './resource.ts';

const INVOICES = 120;
const { randomContent, pieces } = randomInvoices(7);

/** Of amounts. The published BR-CO-17 and BR-S-09 allow a difference of less than 1. */
const ofAmounts = rules.filter(({ id }) => /^BR-(CO-1[0-6]|[A-Z]+-08)$/.test(id));
const isNear = (one: Decimal, other: Decimal): boolean => one.minus(other).cmp('1') < 0 && other.minus(one).cmp('1') < 0;

/** Without decimals a tax may be off by more, once many were rounded. */
const isTolerated = ({ rate, base, amount, surcharge }: TaxRow): boolean =>
  isNear(decimal(amount).plus(surcharge?.amount ?? '0'), percentOf(decimal(base), decimal(rate).plus(surcharge?.rate ?? '0')));

/** Of the document as it is issued; undefined: EN 16931 has no place for it. */
function ubl(state: InvoiceState): ReturnType<typeof parsed> | undefined {
  try {
    return parsed(ublOf(invoiceResource(state, 1) as Parameters<typeof ublOf>[0], preceding).xml);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_representable') return undefined;
    throw error;
  }
}

test.each(['credit_note', 'corrective'] as const)(
  'what takes the rest of an invoice, by a %s, is UBL by EN 16931 as what rounds itself',
  (type) => {
    let taken = 0;
    for (let n = 0; n < INVOICES; n += 1) {
      const content = randomContent();
      let state = issuedOf(content);
      // Rounded sums of `precise` need not add up: then what is left of them does not either.
      let addsUp = ubl(state) !== undefined;
      for (const [n, items] of pieces(content).entries()) {
        const document = `inv_${n}`;
        const lines = type === 'corrective' ? items.map((item) => ({ ...item, quantity: `-${item.quantity}` })) : items;
        const written: InvoiceContent = { ...content, type, corrects: state.id, items: lines };
        const own = ownTotals(written);
        const note = { id: document, content: written, totals: own };
        const { totals } = settled(state, note);
        state = decide({ type: 'reserve_correction', at, attempt: 1, note, isFull: false }, state).reduce<InvoiceState | null>(
          evolve,
          state,
        ) as NumberedInvoice;
        const isOwn = JSON.stringify(totals) === JSON.stringify(own);
        const found = ubl({ ...state, content: written, totals });
        if (isOwn) addsUp &&= found !== undefined;
        if (isOwn || !addsUp || !totals.tax_breakdown.every(isTolerated)) continue;
        if (content.rounding === 'precise' && !ubl({ ...state, content: written, totals: own })) continue;
        try {
          expect(found).toBeDefined();
          if (!found) continue;
          taken += 1;
          expect(ofAmounts.filter(({ check }) => check(found).includes(false)).map(({ id }) => id)).toEqual([]);
          for (const subtotal of found.subtotals) {
            const due = percentOf(amountAt(subtotal, 'TaxableAmount'), amountAt(subtotal, 'TaxCategory/Percent'));
            expect(isNear(amountAt(subtotal, 'TaxAmount'), due)).toBe(true);
          }
        } catch (error) {
          throw new Error(`invoice ${n}: ${JSON.stringify({ written, own, totals })}`, { cause: error });
        }
      }
    }
    expect(taken).toBeGreaterThan(INVOICES / 8);
  },
);
