import type { Invoice } from '../../documents/documents.ts';
import { copyOf, type FormValues, type LineValues } from './values.ts';

/** Lines to credit by their place, with the quantity of each as it is typed. */
export type Chosen = Readonly<Record<number, string>>;

/** A discount or a charge of an amount is credited with all that it was given for, and not with a part of it: its share is for a person to say. */
const inPart = (line: LineValues, quantity: string): LineValues => ({
  ...line,
  quantity,
  discounts: line.discounts.filter(({ kind }) => kind === 'percent'),
  charges: line.charges.filter(({ kind }) => kind === 'percent'),
});

/** The credit note of chosen lines. */
export function creditOf(invoice: Invoice, chosen: Chosen): FormValues {
  const { head, lines } = copyOf(invoice);
  const isWhole = lines.every(({ key, quantity }) => chosen[key]?.trim() === quantity);
  const credited = lines.flatMap((line) => {
    const quantity = chosen[line.key];
    return quantity === undefined ? [] : [quantity.trim() === line.quantity ? line : inPart(line, quantity)];
  });
  const [discounts, charges] = [head.discounts, head.charges].map((all) => (isWhole ? all : all.filter(({ kind }) => kind === 'percent')));
  return {
    head: { ...head, type: 'credit_note', corrects: invoice.id, series: '', notes: '', discounts: discounts ?? [], charges: charges ?? [] },
    lines: credited,
  };
}

/** Whether amounts of the invoice are absent from the credit note, so that a person has to look at it. */
export const isWithoutAmounts = (invoice: Invoice, { head, lines }: FormValues): boolean => {
  const amounts = ({ discounts, charges }: Pick<LineValues, 'discounts' | 'charges'>): number =>
    [...discounts, ...charges].filter(({ kind }) => kind === 'amount').length;
  const whole = copyOf(invoice);
  const credited = new Set(lines.map(({ key }) => key));
  const before = [whole.head, ...whole.lines.filter(({ key }) => credited.has(key))];
  return before.reduce((sum, one) => sum + amounts(one), 0) > [head, ...lines].reduce((sum, one) => sum + amounts(one), 0);
};
