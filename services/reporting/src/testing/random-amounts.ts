import type { ModelDocument } from './model-document.ts';

type Amounts = Pick<ModelDocument, 'net' | 'tax' | 'taxes' | 'untaxed' | 'rounding'>;
type Rate = ModelDocument['taxes'][number]['rate'];

/** Of one tax. */
export function amountsAt(net: bigint, rate: Rate): Amounts {
  const tax = (net * BigInt(rate)) / 100n;
  return { net, tax, taxes: [{ rate, base: net, tax }], untaxed: 0n, rounding: 'line' };
}

/** Of one tax, some with lines without VAT; and `precise` ones of two taxes, whose rounded bases need not add up to the subtotal. `int`: from 0 to a number. */
export function randomAmounts(int: (most: number) => number): Amounts {
  const rates: Rate[] = [10, 20];
  const own = amountsAt(BigInt(1 + int(99_999)), rates[int(1)] ?? 10);
  const kind = int(9);
  if (kind < 5) return own;
  const untaxed = BigInt(1 + int(9_999));
  if (kind < 8) return { ...own, net: own.net + untaxed, untaxed };
  const exact = rates.map((rate) => ({ rate, thousandths: BigInt(1 + int(49_999_999)) }));
  const taxes = exact.map(({ rate, thousandths }) => ({
    ...{ rate, base: quotient(thousandths, 1_000n), tax: quotient(thousandths * BigInt(rate), 100_000n) },
  }));
  const all = exact.reduce((sum, { thousandths }) => sum + thousandths, untaxed * 1_000n);
  const tax = taxes.reduce((sum, one) => sum + one.tax, 0n);
  return { net: quotient(all, 1_000n), tax, taxes, untaxed, rounding: 'precise' };
}

/** Of numbers above 0, rounded half up. */
const quotient = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);
