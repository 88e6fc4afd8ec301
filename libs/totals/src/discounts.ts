import { ZERO, type Decimal, type Details } from '@svc/kernel';
import { adjustmentAmount, roundingOf, type Line, type Rounding } from './line.ts';
import { setsOf } from './tax-breakdown.ts';
import type { Adjustment, Terms } from './terms.ts';

/**
 * Discounts that take more than there is: of a line more than its gross, of the document more than the net of the lines, or of the group that they name.
 * On a line below 0 a discount leads towards 0, never past it. Each problem names the first discount that goes too far.
 */
export function discountProblems(terms: Terms, lines: readonly Line[]): Details {
  const rounded = roundingOf(terms);
  const problems: Details = {};
  terms.items.forEach((item, n) => {
    const line = lines[n];
    if (item.discounts.length === 0 || !line) return;
    const gross = line.net.plus(line.discount).minus(line.charge);
    const at = firstTooFar(item.discounts, gross, rounded);
    if (at !== undefined) problems[`items.${n}.discounts.${at}`] = [tooMuchOf(gross)];
  });
  if (terms.discounts.length === 0) return problems;
  for (let count = fit(terms, lines) ? 0 : 1; count > 0 && count <= terms.discounts.length; count += 1) {
    if (fit({ ...terms, discounts: terms.discounts.slice(0, count) }, lines)) continue;
    problems[`discounts.${count - 1}`] = ['takes more than there is: the net of the lines, or of those that have its taxes.'];
    break;
  }
  return problems;
}

const tooMuchOf = (gross: Decimal): string =>
  gross.cmp(ZERO) < 0
    ? `leads past 0 or away from it: the line comes to ${gross}. On a line below 0 send a percent of at most 100, or a charge.`
    : `takes more than the line has: it comes to ${gross} before its discounts.`;

/** The index of the first discount with which those of a line lead past 0, or away from it. */
function firstTooFar(discounts: readonly Adjustment[], gross: Decimal, rounded: Rounding): number | undefined {
  let left = gross;
  const at = discounts.findIndex((one) => {
    left = left.minus(adjustmentAmount(one, gross, rounded));
    return !isBetween(left, gross);
  });
  return at < 0 ? undefined : at;
}

/** Whether the document's discounts leave each group of lines with the same taxes between 0 and its net. */
function fit(terms: Terms, lines: readonly Line[]): boolean {
  const { sets, per } = setsOf({ ...terms, charges: [] }, [...lines]);
  return sets.every(({ net, worth }) => isBetween(per.cmp(ZERO) < 0 ? worth.times('-1') : worth, net.times(magnitude(per))));
}

const magnitude = (value: Decimal): Decimal => (value.cmp(ZERO) < 0 ? value.times('-1') : value);

/** Whether `value` lies between 0 and `end`, both included. */
const isBetween = (value: Decimal, end: Decimal): boolean =>
  end.cmp(ZERO) < 0 ? value.cmp(end) >= 0 && value.cmp(ZERO) <= 0 : value.cmp(ZERO) >= 0 && value.cmp(end) <= 0;
