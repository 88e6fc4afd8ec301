import { decimal, sum, toText, ZERO } from '@svc/kernel';
import type { Item } from '@svc/totals/line';
import { portionOf, type RowAmounts } from '@svc/totals/portions';
import { balance } from './actions.ts';
import { isHeld, leftOf } from './credits.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { InvoiceContent, InvoiceState, NumberedInvoice } from './state.ts';
import { issuedOf, ownTotals, randomInvoices } from './testing/random-invoices.ts';
import { at } from './testing/samples.ts';

const INVOICES = 200;

const { randomContent, pieces } = randomInvoices(20_261_126);

/** What is left of each row of the breakdown: base, tax, surcharge. */
function leftOfRows({ content, totals, corrections = {} }: NumberedInvoice): Map<string, string[]> {
  const held = Object.values(corrections).filter(isHeld);
  return new Map(
    Object.entries(portionOf(content, totals).rows).map(([key, row]) => {
      const left = (field: keyof RowAmounts): string => {
        const taken = held.map(({ type, portion }) =>
          decimal(portion?.rows[key]?.[field] ?? '0').times(type === 'credit_note' ? '-1' : '1'),
        );
        return toText(decimal(row[field] ?? '0').plus(sum(taken)));
      };
      return [key, [left('base'), left('amount'), left('surcharge')]];
    }),
  );
}

const after = (state: NumberedInvoice, events: ReturnType<typeof decide>): NumberedInvoice =>
  events.reduce<InvoiceState | null>(evolve, state) as NumberedInvoice;

test.each(['credit_note', 'corrective'] as const)(
  'by a %s for each part: invoices that are taken back have nothing left, and never less',
  (type) => {
    let taken = 0;
    for (let n = 0; n < INVOICES; n += 1) {
      const content = randomContent();
      let state = issuedOf(content);
      try {
        if (decimal(state.totals.total).lte(ZERO)) continue;
        pieces(content).forEach((items, n) => {
          const document = `inv_${n}`;
          const opposite = (item: Item): Item => (type === 'corrective' ? { ...item, quantity: `-${item.quantity}` } : item);
          const written: InvoiceContent = { ...content, type, corrects: state.id, items: items.map(opposite) };
          const own = ownTotals(written);
          const left = leftOf(state, document);
          const isSomething = !decimal(own.total)
            .times(type === 'corrective' ? '-1' : '1')
            .lte(ZERO);
          const events = decide(
            { type: 'reserve_correction', at, attempt: 1, note: { id: document, content: written, totals: own }, isFull: false },
            state,
          );
          expect(events).toHaveLength(1);
          const [event] = events as [(typeof events)[0]];
          // What rounds to nothing by itself is refused before; where nothing is left, nothing can be taken.
          if (event.type === 'InvoiceCorrectionRefused') expect([toText(left), isSomething]).toEqual(['0', true]);
          else expect(event.type).toBe('InvoiceCorrectionReserved');
          state = after(state, events);
          state = after(state, decide({ type: 'apply_correction', at, document, attempt: 1 }, state));
          if (event.type === 'InvoiceCorrectionReserved' && event.data.total !== own.total) taken += 1;
          expect(ZERO.lte(leftOf(state, ''))).toBe(true);
          // A discount of all lines that one tax bears alone takes more of that tax than the note credits of it.
          if ([...content.discounts, ...content.charges].some(({ taxes }) => taxes)) return;
          for (const [tax, amounts] of leftOfRows(state))
            expect([tax, ...amounts.filter((amount) => amount.startsWith('-'))]).toEqual([tax]);
        });
        expect(toText(leftOf(state, ''))).toBe('0');
        if (type === 'credit_note') expect(balance(state)).toMatchObject({ due: '0', status: 'paid' });
        for (const [tax, amounts] of leftOfRows(state)) expect([tax, ...amounts]).toEqual([tax, '0', '0', '0']);
      } catch (error) {
        throw new Error(`invoice ${n}: ${JSON.stringify(content)}`, { cause: error });
      }
    }
    expect(taken).toBeGreaterThan(INVOICES / 4);
  },
);
