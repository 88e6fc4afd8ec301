import { invalid } from '@svc/kernel';
import type { LineTerms, TaxRow } from './terms.ts';

/** Taxes on all lines together, and rows of a breakdown. A document that an earlier release stored with more may keep as many. */
const MOST_TAXES = 1_000;

/** Of a document as it is stored. */
export interface StoredTaxes {
  content: { items: readonly LineTerms[] };
  totals: { tax_breakdown: readonly TaxRow[] };
}

/** Throws validation_error where the lines bear so many taxes that their sum is not worked out. */
export function checkTaxes(items: readonly LineTerms[], stored: StoredTaxes | null): void {
  const count = taxesOf(items);
  if (count > MOST_TAXES && !(stored && count <= taxesOf(stored.content.items)))
    throw invalid({ items: [`bear ${count} taxes together, at most ${MOST_TAXES} are allowed: split the document.`] });
}

/** Those of the document's own discounts and charges count as well. */
export function checkBreakdown({ length }: readonly TaxRow[], stored: StoredTaxes | null): void {
  if (length > MOST_TAXES && !(stored && length <= stored.totals.tax_breakdown.length))
    throw invalid({ items: [`come to a tax_breakdown of ${length} rows, at most ${MOST_TAXES} are allowed: split the document.`] });
}

const taxesOf = (items: readonly LineTerms[]): number => items.reduce((sum, { taxes }) => sum + taxes.length, 0);
