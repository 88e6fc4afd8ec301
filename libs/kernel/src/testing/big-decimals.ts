import BigJs from 'big.js';

const Big = BigJs();
Big.strict = true;
type Big = InstanceType<typeof Big>;
const DOWN = 0;
const HALF_AWAY = 1;

const decimal = (value: string | Big): Big => new Big(value);
const ZERO = decimal('0');
const ONE = decimal('1');
const HUNDREDTH = decimal('0.01');
const round = (value: Big, places: number): Big => value.round(places, HALF_AWAY);
const percentOf = (amount: Big, percent: Big): Big => amount.times(percent).times(HUNDREDTH);
const sum = (values: Big[]): Big => values.reduce((total, value) => total.plus(value), ZERO);
/** A zero of big.js may be negative. */
const toText = (value: Big): string => (value.eq(ZERO) ? '0' : value.toFixed());

function divided(n: Big, d: Big, places: number, mode: typeof DOWN | typeof HALF_AWAY): Big {
  [Big.DP, Big.RM] = [places, mode];
  return n.div(d);
}
const quotient = (n: Big, d: Big, places: number): Big => (d === ONE ? round(n, places) : divided(n, d, places, HALF_AWAY));

/** Rounds every share down, then gives units to the parts that lack most. */
function shareOut(whole: Big, weights: Big[], places: number): Big[] {
  const total = sum(weights);
  if (total.eq(ZERO)) return weights.map((_, n) => (n === 0 ? whole : ZERO));
  const unit = decimal(`1e-${places}`);
  const sign = total.lt(ZERO) ? '-1' : '1';
  const shares = weights.map((weight) => {
    const exact = whole.times(weight);
    const part = divided(exact, total, places, DOWN);
    const lack = exact.minus(part.times(total)).times(sign);
    return lack.lt(ZERO) ? { part: part.minus(unit), lack: lack.plus(unit.times(total).times(sign)) } : { part, lack };
  });
  const left = whole.minus(sum(shares.map(({ part }) => part)));
  const byLack = shares.toSorted((a, b) => b.lack.cmp(a.lack));
  byLack.forEach((share, n) => {
    if (left.gt(unit.times(String(n)))) share.part = share.part.plus(unit);
  });
  return shares.map(({ part }) => part);
}

const sharing =
  (weights: Big[], places: number) =>
  (whole: Big): Big[] =>
    shareOut(whole, weights, places);

/** What decimal.ts exports to calculate with, made of big.js: independent of it, and slower. */
export const bigDecimals = { decimal, ZERO, ONE, round, percentOf, sum, toText, quotient, sharing };
