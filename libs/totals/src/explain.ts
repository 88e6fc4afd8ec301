import { type ExplanationStep, type ExplanationStepName, MOST_STEPS } from '@svc/contracts/invoice/preview';
import { currencyDecimals, decimal, jsonNumber, toText, ZERO } from '@svc/kernel';
import type { Terms, Totals } from './terms.ts';
import { totalsOf } from './totals.ts';

export interface Explained {
  explanation: ExplanationStep[];
  /** Steps beyond the most of a kind. */
  left_out: number;
}

/**
 * Every step of the totals of a document whose terms were checked, and the rule that asked for it. At most `MOST_STEPS` of a kind. `totals`: those that it
 * has, which differ from its own rounding where it takes what others leave of an invoice.
 */
export function explain(content: Omit<Terms, 'decimals'> & { currency: string }, totals: Totals): Explained {
  const terms = { ...content, decimals: currencyDecimals(content.currency) ?? 0 };
  const rules = rulesOf(terms);
  const counts = new Map<ExplanationStepName, number>();
  const explanation: ExplanationStep[] = [];
  let left_out = 0;
  totalsOf(terms, ({ step, field, calculation, result }) => {
    const count = (counts.get(step) ?? 0) + 1;
    counts.set(step, count);
    if (count > MOST_STEPS) left_out += 1;
    else {
      const moved = decimal(amountAt(totals, field) ?? result).minus(result);
      const by = moved.eq(ZERO) ? '' : ` ${moved.cmp(ZERO) < 0 ? '−' : '+'} ${toText(moved).replace('-', '')}`;
      const rule = by === '' ? rules[step] : `${rules[step]}; and what the other notes leave of the invoice`;
      explanation.push({ step, field, calculation: `${calculation()}${by}`, result: jsonNumber(toText(result.plus(moved))), rule });
    }
  });
  return { explanation, left_out };
}

/** The amount that a step of the breakdown or of the sums ends in. */
function amountAt(totals: Totals, field: string): string | undefined {
  const [of, n = '', ...path] = field.split('.');
  if (of === 'tax_total' || of === 'total' || of === 'subtotal') return totals[of];
  if (of === 'items' && path.join() === 'amount') return totals.lines[Number(n)]?.amount;
  const row = of === 'tax_breakdown' ? totals.tax_breakdown[Number(n)] : undefined;
  return path[0] === 'surcharge' ? row?.surcharge?.amount : path[0] === 'base' || path[0] === 'amount' ? row?.[path[0]] : undefined;
}

/** What asks for each step in a document with these terms. */
function rulesOf({ rounding, prices_include_tax: inclusive, decimals }: Terms): Record<ExplanationStepName, string> {
  const places = `rounded to ${decimals} decimals`;
  const line = rounding === 'line' ? `rounding is line: ${places}` : 'rounding is precise: not rounded';
  return {
    gross: `quantity × unit_price; ${line}`,
    line_discount: `a percentage of the gross of the line; ${line}`,
    line_charge: `a percentage of the gross of the line; ${line}`,
    discount: `a percentage of all lines; ${line}`,
    charge: `a percentage of all lines; ${line}`,
    share: 'without taxes of its own it is shared over the taxes of the lines by their net; largest remainder, so that the parts add up',
    tax: inclusive ? `one tax for each row, out of a price that includes it; ${places}` : `one tax for each row, on its base; ${places}`,
    base: inclusive ? `the price without the tax of the row; ${places}` : `the amounts of the row; ${places}`,
    surcharge: `on the base of the row, by itself; ${places}`,
    amount: amountRule(rounding, inclusive, places),
    tax_total: 'the sum of the rounded taxes and surcharges that are not retained',
    total: inclusive ? `the prices that were asked, ${places}, and surcharges` : `the amounts without tax, ${places}, and the taxes`,
    subtotal: 'the total less the tax, so that both add up to it',
  };
}

const amountRule = (rounding: Terms['rounding'], inclusive: boolean, places: string): string =>
  rounding === 'precise'
    ? `the net of the line${inclusive ? ' without tax' : ''}; ${places} by itself, so that amounts need not add up`
    : 'the net of the line without tax; largest remainder, so that the amounts add up to the base of their tax';
