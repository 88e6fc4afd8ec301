import { minus, type Day, type Details, type DomainError } from '@svc/kernel';
import { rulesOf } from '@svc/tax-rules';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { Item } from '@svc/totals/line';
import type { Adjustment, TaxRow, Totals } from '@svc/totals/terms';
import type { FrozenIssuer } from './parties.ts';
import type { DocumentContent, NumberedDocument } from './state.ts';

/**
 * The corrective by which a document is voided whose authority annuls nothing. It is fixed when the void is requested, so that whoever goes on
 * with it, and however often, makes the same one document.
 */
export interface Reversal {
  /** Its id. */
  document: string;
  numbering: Numbering;
}

/** As a command brings it: an error where its series cannot take it. */
export type PlannedReversal = Omit<Reversal, 'numbering'> & { numbering: Numbering | DomainError };

/** What came of a corrective: why there is none, or the issue date with which it is registered. */
export type ReversalEnd = { error: ReversalRefusal['error'] } | { error: null; issue_date: Day };

/** Why a corrective did not come about. */
export interface ReversalRefusal {
  /** Id of the corrective. */
  document: string;
  error: { code: string; message: string };
}

/** Whether the rules of the country of an issuer, as frozen in a document, void by a corrective. */
export const isVoidedByCorrective = ({ country }: Pick<FrozenIssuer, 'country'>): boolean => rulesOf(country).void.kind === 'corrective';

const MOST_LETTERS = 2_000;

/** For a corrective that took no number, by field why. */
export const unnumbered = (details: Details): ReversalRefusal['error'] => ({
  code: 'validation_error',
  message: `The corrective takes no number: ${Object.entries(details)
    .map(([field, why]) => `${field} ${why.join(' ')}`)
    .join('; ')}`.slice(0, MOST_LETTERS),
});

/** Metadata value by which a test document has its void refused; its corrective has it rejected. */
const REFUSE_VOID = 'refuse_void';

/**
 * What the corrective says: each quantity and fixed amount with the other sign, so that every amount of the document is the exact negative. Nothing is
 * calculated: what was issued under earlier rules is negated as it was issued.
 */
export function negated<Content extends DocumentContent>({
  content,
  totals,
  livemode,
}: Pick<NumberedDocument<Content>, 'content' | 'totals' | 'livemode'>): { content: Content; totals: Totals } {
  const { metadata } = content;
  const isRefused = !livemode && metadata['simulate'] === REFUSE_VOID;
  return {
    content: {
      ...content,
      items: content.items.map(negatedItem),
      discounts: content.discounts.map(negatedAdjustment),
      charges: content.charges.map(negatedAdjustment),
      metadata: isRefused ? { ...metadata, simulate: 'reject' } : metadata,
    },
    totals: negatedTotals(totals),
  };
}

const negatedItem = (item: Item): Item => ({
  ...item,
  quantity: minus(item.quantity),
  discounts: item.discounts.map(negatedAdjustment),
  charges: item.charges.map(negatedAdjustment),
});

/** A percentage is of an amount that is negated itself. */
const negatedAdjustment = <One extends Adjustment>(one: One): One =>
  one.amount === undefined ? one : { ...one, amount: minus(one.amount) };

const negatedRow = ({ base, amount, surcharge, ...row }: TaxRow): TaxRow => ({
  ...row,
  base: minus(base),
  amount: minus(amount),
  ...(surcharge && { surcharge: { ...surcharge, amount: minus(surcharge.amount) } }),
});

function negatedTotals({ lines, tax_breakdown, ...sums }: Totals): Totals {
  const { subtotal, discount_total, charge_total, tax_total, retained_total, total } = sums;
  return {
    lines: lines.map(({ amount, discount_amount, charge_amount }) => ({
      amount: minus(amount),
      discount_amount: minus(discount_amount),
      charge_amount: minus(charge_amount),
    })),
    subtotal: minus(subtotal),
    discount_total: minus(discount_total),
    charge_total: minus(charge_total),
    tax_total: minus(tax_total),
    retained_total: minus(retained_total),
    total: minus(total),
    tax_breakdown: tax_breakdown.map(negatedRow),
  };
}
