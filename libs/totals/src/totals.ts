import type { ItemInput } from '@svc/contracts/document/line';
import { currencyDecimals, decimal, invalid, ONE, quotient, round, sum, toText, ZERO, type Decimal, type Details } from '@svc/kernel';
import { discountProblems } from './discounts.ts';
import { fraction, type OnStep } from './steps.ts';
import { itemProblems, lineOf, roundingOf, type Line } from './line.ts';
import { breakdownOf, isIncluded, setsOf, withoutOwnTax, withoutTax } from './tax-breakdown.ts';
import type { DocumentAdjustment, LineTerms, Tax, TaxRow, Terms, Totals } from './terms.ts';

/** The most digits of a total before the point: beyond it a double does not sort them correctly. */
const MOST_DIGITS = 15;
const TOO_LONG = new RegExp(`^-?\\d{${MOST_DIGITS + 1}}`);
/** Taxes on all lines together, and rows of a breakdown. until 0.3: a document that 0.1.0 stored with more may keep as many. */
const MOST_TAXES = 1_000;

/** Of a stored document. */
interface StoredTaxes {
  content: { items: readonly LineTerms[] };
  totals: { tax_breakdown: readonly TaxRow[] };
}

/**
 * The totals of a document. Throws validation_error naming `problems` and every invalid term; `given`: lines as they were sent; `stored`: the totals of a
 * document that is changed.
 */
export function checkedTotals(
  content: Omit<Terms, 'decimals'> & { currency: string },
  given: readonly ItemInput[],
  problems: Details,
  stored: StoredTaxes | null = null,
): Totals {
  const decimals = currencyDecimals(content.currency);
  const before: Details = { ...problems, ...itemProblems(given) };
  if (decimals === undefined) throw invalid({ ...before, currency: ['is no currency of ISO 4217.'] });
  const terms = { ...content, decimals };
  const all = { ...before, ...termsProblems(terms) };
  if (Object.keys(all).length > 0) throw invalid(all);
  const taxes = taxCount(content.items);
  checkCount(taxes, stored ? taxCount(stored.content.items) : 0, `bear ${taxes} taxes together`);
  const lines = linesOf(terms);
  const isDiscounted = terms.discounts.length > 0 || terms.items.some(({ discounts }) => discounts.length > 0);
  const tooMuch = isDiscounted ? discountProblems(terms, lines) : {};
  if (Object.keys(tooMuch).length > 0) throw invalid(tooMuch);
  const totals = totalsOf(terms, undefined, lines);
  const { length: rows } = totals.tax_breakdown; // includes those of the document's own discounts and charges
  checkCount(rows, stored?.totals.tax_breakdown.length ?? 0, `come to a tax_breakdown of ${rows} rows`);
  if (isTooLong(totals.total) || isTooLong(totals.subtotal))
    throw invalid({ items: [`come to more than ${MOST_DIGITS} digits before the point.`] });
  return totals;
}

/** Throws validation_error for more taxes or rows than the limit. `before`: of the stored document, which may keep as many. */
function checkCount(count: number, before: number, problem: string): void {
  if (count > Math.max(MOST_TAXES, before))
    throw invalid({ items: [`${problem}, at most ${MOST_TAXES} are allowed: split the document.`] });
}

const taxCount = (items: readonly LineTerms[]): number => items.reduce((sum, { taxes }) => sum + taxes.length, 0);

const isTooLong = (amount: string): boolean => TOO_LONG.test(amount);

/** Contradictions: amounts with too many decimals for the currency, taxes that exclude each other or the price mode. */
function termsProblems({ items, discounts, charges, decimals, prices_include_tax }: Terms): Details {
  const problems: Details = {};
  const check = ({ amount, taxes }: DocumentAdjustment, path: () => string): void => {
    if (amount !== undefined && decimal(amount).scale > decimals)
      problems[`${path()}.amount`] = [`has at most ${decimals} decimals in this currency.`];
    if (taxes) checkSet(taxes, () => `${path()}.taxes`);
  };
  const checkSet = (taxes: Tax[], path: () => string): void => {
    checkTaxes(problems, taxes, path);
    if (prices_include_tax && taxes.filter(isIncluded).length > 1) problems[path()] ??= [INCLUDED_TWICE];
  };
  discounts.forEach((one, n) => check(one, () => `discounts.${n}`));
  charges.forEach((one, n) => check(one, () => `charges.${n}`));
  items.forEach((item, n) => {
    item.discounts.forEach((one, at) => check(one, () => `items.${n}.discounts.${at}`));
    item.charges.forEach((one, at) => check(one, () => `items.${n}.charges.${at}`));
    checkSet(item.taxes, () => `items.${n}.taxes`);
  });
  return problems;
}

/** Adds what is wrong with a set of taxes in any document: more than one VAT, a code that contradicts its rate. */
export function checkTaxes(problems: Details, taxes: readonly Tax[], path: () => string): void {
  if (taxes.filter(isVat).length > 1) problems[path()] = [VAT_TWICE];
  taxes.forEach((tax, n) => {
    const problem = codeProblem(tax);
    if (problem) problems[`${path()}.${n}.code`] = [problem];
  });
}

const VAT_TWICE = 'have at most one tax of category VAT: divide what is taxed otherwise into lines of its own.';
const INCLUDED_TWICE =
  'have at most one tax that is not retained where prices include tax: which part of the price each is could not be known.';

/** A VAT's code agrees with its rate (EN 16931 BR-S-05 to BR-O-05: S above 0, every other code exactly 0). */
function codeProblem(tax: Tax): string | undefined {
  if (!isVat(tax) || (tax.code === 'S') === (tax.rate !== '0')) return undefined;
  return tax.code === 'S'
    ? 'S has a rate above 0: for a rate of 0 send Z, E, AE, K, G or O.'
    : `${tax.code} has the rate 0: for a rate above 0 send S.`;
}

const isVat = ({ category }: Tax): boolean => category === 'VAT';

/**
 * A document's amounts, exactly: lines, then the tax sets with the document's discounts and charges, then one rounding per row of the
 * breakdown. Exclusive: total = R(Σ bases) + tax. Inclusive: total = R(Σ gross) + surcharges. R rounds half away from zero at the
 * currency's decimals. subtotal + tax_total = total always. `onStep` gets each step. `lines`: where they are calculated already.
 */
export function totalsOf(terms: Terms, onStep?: OnStep, lines = linesOf(terms, onStep)): Totals {
  const { decimals } = terms;
  const sets = setsOf(terms, lines, onStep);
  const { rows, tax, surcharges, retained } = breakdownOf(sets, terms, onStep);
  const worths = sum(sets.sets.map((set) => set.worth));
  const onTop = terms.prices_include_tax ? surcharges : tax;
  const total = quotient(worths, sets.per, decimals).plus(onTop);
  const text = (value: Decimal): string => toText(round(value, decimals));
  const amounts = terms.prices_include_tax ? exclusiveAmounts(lines, terms) : lines.map(({ net }) => net);
  if (onStep) sumSteps(onStep, terms, { lines, amounts, worth: fraction(worths, sets.per), onTop, tax, total });
  return {
    lines: lines.map(({ discount, charge }, n) => ({
      amount: text(amounts[n] ?? ZERO),
      discount_amount: text(discount),
      charge_amount: text(charge),
    })),
    subtotal: toText(total.minus(tax)),
    discount_total: text(sets.discount),
    charge_total: text(sets.charge),
    tax_total: toText(tax),
    retained_total: toText(retained),
    total: toText(total),
    tax_breakdown: rows,
  };
}

/** Of each line its net, after its own discounts and charges. */
export function linesOf(terms: Terms, onStep?: OnStep): Line[] {
  const rounded = roundingOf(terms);
  return terms.items.map((item, n) => lineOf(item, rounded, n, onStep));
}

/** `line`: the amounts add up to the base of the lines, for each tax. `precise`: each is rounded separately. */
function exclusiveAmounts(lines: Line[], { items, rounding, decimals }: Terms): Decimal[] {
  if (rounding === 'precise') return lines.map(({ net }, n) => withoutOwnTax(net, items[n]?.taxes ?? [], decimals));
  return withoutTax(
    lines.map(({ net }) => net),
    items.map(({ taxes }) => taxes),
    ONE,
    decimals,
  );
}

interface Sums {
  lines: Line[];
  /** Without tax, unrounded in `precise`. */
  amounts: Decimal[];
  worth: string;
  /** What the prices do not include. */
  onTop: Decimal;
  tax: Decimal;
  total: Decimal;
}

/** The steps that come last. The amount of a line is one where it is not its net. */
function sumSteps(onStep: OnStep, { items, rounding, prices_include_tax: inclusive, decimals }: Terms, sums: Sums): void {
  const { lines, amounts, worth, onTop, tax, total } = sums;
  if (inclusive || rounding === 'precise')
    lines.forEach(({ net }, n) => {
      const rate = inclusive ? items[n]?.taxes.find(isIncluded)?.rate : undefined;
      const result = round(amounts[n] ?? ZERO, decimals);
      onStep({ step: 'amount', field: `items.${n}.amount`, calculation: () => amountOf(net, rate, rounding), result });
    });
  onStep({ step: 'tax_total', field: 'tax_total', calculation: () => toText(tax), result: tax });
  onStep({ step: 'total', field: 'total', calculation: () => `R(${worth}) + ${onTop}`, result: total });
  onStep({ step: 'subtotal', field: 'subtotal', calculation: () => `${total} − ${tax}`, result: total.minus(tax) });
}

/** `rate`: of the tax that the net of the line includes. */
function amountOf(net: Decimal, rate: string | undefined, rounding: Terms['rounding']): string {
  if (rate === undefined) return toText(net);
  return rounding === 'line' ? `${net} × 100 / (100 + ${rate})` : `R(${net}) − R(${net} × ${rate} / (100 + ${rate}))`;
}
