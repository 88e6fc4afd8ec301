import { invalid } from '@svc/kernel';
import type { LineTerms, TaxRow } from './terms.ts';

/** Taxes on all lines together, and rows of a breakdown. */
const MOST_TAXES = 1_000;

/** Throws validation_error where the lines bear so many taxes that their sum is not worked out. */
export function checkTaxes(items: readonly LineTerms[]): void {
  const count = items.reduce((sum, { taxes }) => sum + taxes.length, 0);
  if (count > MOST_TAXES)
    throw invalid({ items: [`bear ${count} taxes together, at most ${MOST_TAXES} are allowed: split the document.`] });
}

/** Those of the document's own discounts and charges count as well. */
export function checkBreakdown({ length }: readonly TaxRow[]): void {
  if (length > MOST_TAXES)
    throw invalid({ items: [`come to a tax_breakdown of ${length} rows, at most ${MOST_TAXES} are allowed: split the document.`] });
}
