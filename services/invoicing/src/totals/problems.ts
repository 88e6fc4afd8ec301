import type { ItemInput } from '@svc/contracts/document/line';
import { currencyDecimals, invalid, type Details } from '@svc/kernel';
import { isIncluded } from './tax-breakdown.ts';
import type { DocumentAdjustment, LineTerms, Tax, TaxRow, Terms, Totals } from './terms.ts';
import { totalsOf } from './totals.ts';

/** Digits before the point that a total may have: beyond it no double sorts them right. */
const MOST_DIGITS = 15;
/** Taxes on all lines together, and rows of a breakdown. A document that an earlier release stored with more may keep as many. */
const MOST_TAXES = 1_000;

/** Of a document as it is stored. */
interface StoredTaxes {
  content: { items: readonly LineTerms[] };
  totals: { tax_breakdown: readonly TaxRow[] };
}

/** What a document comes to. Throws validation_error naming `problems` and all that is wrong with its terms; `given`: lines as they were sent; `stored`: of one that is changed. */
export function checkedTotals(
  content: Omit<Terms, 'decimals'> & { currency: string },
  given: readonly ItemInput[],
  problems: Details,
  stored: StoredTaxes | null = null,
): Totals {
  const decimals = currencyDecimals(content.currency);
  const all: Details = {
    ...problems,
    ...itemProblems(given),
    ...(decimals === undefined ? { currency: ['is no currency of ISO 4217.'] } : termsProblems({ ...content, decimals })),
  };
  if (decimals === undefined || Object.keys(all).length > 0) throw invalid(all);
  checkTaxCount(content.items, stored);
  const totals = totalsOf({ ...content, decimals });
  checkRowCount(totals.tax_breakdown, stored);
  if (isTooLong(totals.total) || isTooLong(totals.subtotal))
    throw invalid({ items: [`come to more than ${MOST_DIGITS} digits before the point.`] });
  return totals;
}

/** Throws validation_error where the lines bear so many taxes that their sum is not worked out. */
function checkTaxCount(items: readonly LineTerms[], stored: StoredTaxes | null): void {
  const count = taxCount(items);
  if (count > MOST_TAXES && !(stored && count <= taxCount(stored.content.items)))
    throw invalid({ items: [`bear ${count} taxes together, at most ${MOST_TAXES} are allowed: split the document.`] });
}

/** Those of the document's own discounts and charges count as well. */
function checkRowCount({ length }: readonly TaxRow[], stored: StoredTaxes | null): void {
  if (length > MOST_TAXES && !(stored && length <= stored.totals.tax_breakdown.length))
    throw invalid({ items: [`come to a tax_breakdown of ${length} rows, at most ${MOST_TAXES} are allowed: split the document.`] });
}

const taxCount = (items: readonly LineTerms[]): number => items.reduce((sum, { taxes }) => sum + taxes.length, 0);

const isTooLong = (amount: string): boolean => (amount.split('.')[0] ?? '').replace('-', '').length > MOST_DIGITS;

/** What of the lines as they were sent cannot be taken, whatever the document. Linear in their number. */
export function itemProblems(items: readonly ItemInput[]): Details {
  const problems: Details = {};
  items.forEach(({ product_id, unit_price, discounts, charges }, n) => {
    if (product_id) problems[`items.${n}.product_id`] = ['Products are not served yet: send description, unit_price and taxes instead.'];
    else if (unit_price === undefined) problems[`items.${n}.unit_price`] = ['is required'];
    for (const [field, list] of Object.entries({ discounts, charges })) {
      list?.forEach(({ taxes }, at) => {
        if (taxes) problems[`items.${n}.${field}.${at}.taxes`] = ['are those of the line: leave them out.'];
      });
    }
  });
  return problems;
}

/** What does not go together: amounts with the currency's decimals, taxes with each other and with the prices. */
function termsProblems({ items, discounts, charges, decimals, prices_include_tax }: Terms): Details {
  const problems: Details = {};
  const check = (path: string, { amount, taxes }: DocumentAdjustment): void => {
    if ((amount?.split('.')[1] ?? '').length > decimals)
      problems[`${path}.amount`] = [`has at most ${decimals} decimals in this currency.`];
    if (taxes) checkTaxes(`${path}.taxes`, taxes);
  };
  const checkTaxes = (path: string, taxes: Tax[]): void => {
    Object.assign(problems, vatProblems(path, taxes));
    if (prices_include_tax && taxes.filter(isIncluded).length > 1) problems[path] ??= [INCLUDED_TWICE];
  };
  const checkAll = (at: string, lists: Record<'discounts' | 'charges', DocumentAdjustment[]>): void => {
    lists.discounts.forEach((one, n) => check(`${at}discounts.${n}`, one));
    lists.charges.forEach((one, n) => check(`${at}charges.${n}`, one));
  };
  checkAll('', { discounts, charges });
  items.forEach((item, n) => {
    checkAll(`items.${n}.`, item);
    checkTaxes(`items.${n}.taxes`, item.taxes);
  });
  return problems;
}

const INCLUDED_TWICE =
  'have at most one tax that is not retained where prices include tax: it could not be told which part of the price each is.';

/** At most one VAT, whose code agrees with its rate (EN 16931 BR-S-05 to BR-O-05: S above 0, every other code exactly 0). */
function vatProblems(path: string, taxes: Tax[]): Details {
  const problems: Details = {};
  if (taxes.filter(isVat).length > 1)
    problems[path] = ['have at most one tax of category VAT: divide what is taxed otherwise into lines of its own.'];
  taxes.forEach((tax, n) => {
    if (!isVat(tax) || (tax.code === 'S') === (tax.rate !== '0')) return;
    problems[`${path}.${n}.code`] = [
      tax.code === 'S'
        ? 'S has a rate above 0: for a rate of 0 send Z, E, AE, K, G or O.'
        : `${tax.code} has the rate 0: for a rate above 0 send S.`,
    ];
  });
  return problems;
}

const isVat = ({ category }: Tax): boolean => category === 'VAT';
