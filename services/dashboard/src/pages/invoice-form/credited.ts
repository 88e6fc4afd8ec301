import type { Resource } from '../../api/types.ts';
import type { Invoice } from '../../documents/documents.ts';
import { minus } from '../../format/minus.ts';
import { type Decimal, isZero } from '../../format/numbers.ts';
import { bodyOf, type FormValues } from './values.ts';

type Item = Resource<'Item'>;

/** Of credit notes that count: what was rejected or voided took nothing. */
export const countedStatuses = ['submitting', 'submitted', 'voiding'] as const;

/** By which a line of a credit note, which names none, is known as one of the invoice. */
const keyOf = ({ product_id: product, description, unit, unit_price: price, taxes }: Item): string =>
  JSON.stringify([product, description, unit, price, taxes.map(({ category, rate, code, retained }) => [category, rate, code, retained])]);

const isNegative = (decimal: Decimal): boolean => decimal.startsWith('-');
/** Whether a quantity takes more than `most` of a line; of a line below 0, whether it is lower. */
const isBeyond = (quantity: Decimal, most: Decimal, { quantity: whole }: Pick<Item, 'quantity'>): boolean => {
  const over = minus(quantity, most);
  return !isZero(over) && isNegative(over) === isNegative(whole);
};

/**
 * The quantity of each line of an invoice that its credit notes leave to be credited, in its order. A line of a credit note counts for the first like it that has
 * something left; what is written otherwise counts for none, and the interface alone judges it, by its amount.
 */
export function leftOf(invoice: Pick<Invoice, 'items'>, notes: readonly Pick<Invoice, 'items'>[]): Decimal[] {
  const left = invoice.items.map(({ quantity }) => quantity);
  for (const credit of notes.flatMap(({ items }) => items)) {
    let rest = credit.quantity;
    for (const [n, line] of invoice.items.entries()) {
      const own = left[n] ?? '0';
      if (isZero(rest) || isZero(own) || keyOf(line) !== keyOf(credit)) continue;
      const taken = isBeyond(rest, own, line) ? own : rest;
      left[n] = minus(own, taken);
      rest = minus(rest, taken);
    }
  }
  return left;
}

/** What each line has been credited of its quantity. */
export const creditedOf = (invoice: Pick<Invoice, 'items'>, left: readonly Decimal[]): Decimal[] =>
  invoice.items.map(({ quantity }, n) => minus(quantity, left[n] ?? quantity));

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** The lines of the invoice, from 0, of which a credit note takes more than is left. What is no decimal is for the interface to refuse. */
export function beyondLeft({ items }: Pick<Invoice, 'items'>, note: FormValues, left: readonly Decimal[]): number[] {
  const sent = bodyOf(note).items;
  const isOver = (line: Item | undefined, quantity: string, most: Decimal): boolean =>
    line !== undefined && DECIMAL.test(quantity) && isBeyond(quantity, most, line);
  return note.lines.flatMap(({ key }, n) => (isOver(items[key], String(sent[n]?.quantity ?? ''), left[key] ?? '0') ? [key] : []));
}
