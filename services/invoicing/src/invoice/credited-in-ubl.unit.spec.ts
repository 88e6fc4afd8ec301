import { decimal, numberText, sum, toText } from '@svc/kernel';
import { correctionOf, type Corrections } from './domain/credits.ts';
import { settled } from './domain/settled.ts';
import { calculatedOf, documentOf, line, preceding, vat, type Given } from '@svc/document-files/ubl/testing/documents';
import { rules } from '@svc/document-files/ubl/testing/rules';
import { parsed } from '@svc/document-files/ubl/testing/parsed';
import { ublOf, type UblInvoice } from '@svc/document-files/ubl/ubl';

/** The credit notes that take an invoice part by part. */
function creditNotes(whole: Given, parts: Given[]): UblInvoice[] {
  const { content, totals } = calculatedOf(whole);
  const corrections: Record<string, Corrections[string]> = {};
  return parts.map((part, n) => {
    const id = `inv_${n}`;
    const own = calculatedOf(part);
    const note = { id, content: { ...own.content, type: 'credit_note' as const }, totals: own.totals };
    const taken = settled({ content: { ...content, type: 'standard' }, totals, corrections }, note);
    corrections[id] = { ...correctionOf(note, taken, 1), status: 'applied' };
    return documentOf({ ...part, type: 'credit_note', corrects: 'inv_0' }, { ...own, totals: taken.totals });
  });
}

const units = (whole: Given): Given[] =>
  (whole.items ?? []).flatMap((item) =>
    Array.from({ length: Number(item.quantity ?? 1) }, () => ({ ...whole, items: [{ ...item, quantity: 1 }] })),
  );

const prices = [68.33, 57.5, 85, 68.33].map((price) => line(price, [vat(20)]));
const rates = [0.33, 0.33, 0.33].flatMap((price) => [line(price, [vat(20)]), line(price, [vat(10)])]);
const cases: Record<string, Given> = {
  'lines of one rate': { items: prices },
  'two rates': { items: rates },
  'units of a line, whose base moves': { items: [line(0.335, [vat(20)], { quantity: 3 })] },
  'units of two lines with discounts': {
    items: [7.77, 3.335].map((price) => line(price, [vat(21)], { quantity: 3, discounts: [{ percent: 15 }] })),
  },
  'a discount of the document': { items: rates, discounts: [{ percent: 7 }] },
  'a charge of the document': { items: prices, charges: [{ percent: 3 }] },
  'a discount and a charge': { items: rates, discounts: [{ percent: 7 }], charges: [{ percent: 5 }] },
  'prices that include tax': { items: [line(9.99, [vat(20)], { quantity: 3 })], prices_include_tax: true },
  'prices that include tax, with a discount': { items: rates, prices_include_tax: true, discounts: [{ percent: 10 }] },
  'a currency without decimals': { items: [333, 333, 333].map((price) => line(price, [vat(10)])), currency: 'JPY' },
  'fractions of a cent': { items: [line(0.333, [vat(0, { code: 'Z' })], { quantity: 3 })], rounding: 'precise' },
};

/** The published rules let the tax be anything less than 1 from what the rate comes to, which `ublOf` checks; those of the tests are narrower. */
const asked = rules.filter(({ id }) => !['BR-CO-17', 'BR-S-09'].includes(id));
const violated = (note: UblInvoice): string[] => {
  const document = parsed(ublOf(note, preceding).xml);
  return asked.filter(({ check }) => check(document).includes(false)).map(({ id }) => id);
};

test.each(Object.entries(cases))(
  'credit notes of all of %s come to the invoice, and their UBL adds up as the standard asks',
  (_, whole) => {
    const parts = units(whole);
    const notes = creditNotes(whole, parts);
    const { totals } = calculatedOf(whole);
    expect(toText(sum(notes.map(({ total }) => decimal(numberText(total)))))).toBe(totals.total);
    expect(notes.map(violated)).toEqual(notes.map(() => []));
    const last = documentOf(parts.at(-1));
    expect(notes.at(-1)?.tax_breakdown).not.toEqual(last.tax_breakdown);
  },
);
