import type { Resource } from '../../api/types.ts';
import { readDecimal } from '../../format/decimals.ts';

/** One line at the till. Amounts stay texts: they are added in whole parts, never as floats. */
export interface BasketLine {
  key: number;
  product_id: string | null;
  name: string;
  quantity: string;
  unit_price: string;
  /** What its price is of; null: of whatever the receipt is in. */
  currency: string | null;
  /** Of its product; null: the issuer's default. */
  taxes: Resource<'Tax'>[] | null;
}

export type Method = Resource<'PaymentMethod'>;

type Sellable = Pick<Resource<'Product'>, 'id' | 'name' | 'unit_price' | 'currency' | 'taxes'>;

const SCALE = 8;
const HUNDRED = 100n * 10n ** BigInt(SCALE);

/** A decimal as a whole number of 10^-8; null where the text is none, or has more decimals. */
function scaled(text: string): bigint | null {
  const [, sign, whole = '', part = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,8}))?$/.exec(readDecimal(text)) ?? [];
  if (sign === undefined) return null;
  const value = BigInt(whole + part.padEnd(SCALE, '0'));
  return sign === '-' ? -value : value;
}

/** `value` / `unit`, rounded half away from zero. */
function rounded(value: bigint, unit: bigint): bigint {
  const [whole, rest] = [value / unit, value % unit];
  const isUp = (rest < 0n ? -rest : rest) * 2n >= unit;
  return isUp ? whole + (value < 0n ? -1n : 1n) : whole;
}

/** The currencies that prices of the basket are of. A receipt has one; without any it is the issuer's. */
export const currenciesOf = (lines: readonly BasketLine[]): string[] => [
  ...new Set(lines.flatMap(({ currency }) => (currency === null ? [] : [currency]))),
];

/** How amounts are rounded: to the decimals of the currency, `line` each line, `precise` their sum. */
export interface Rounding {
  decimals: number;
  rounding: string;
}

/**
 * What a receipt of the lines comes to, in the smallest unit of the currency; null while a line is no amount. Prices include tax, and surcharges are added to them:
 * each group of lines of one tax is rounded by itself, as the interface does.
 */
export function sumOf(lines: readonly BasketLine[], { decimals, rounding }: Rounding): bigint | null {
  const unit = 10n ** BigInt(2 * SCALE - decimals);
  const surcharged = new Map<string, { tax: Resource<'Tax'>; gross: bigint }>();
  let sum = 0n;
  for (const { quantity, unit_price: price, taxes } of lines) {
    const [times, each] = [scaled(quantity), scaled(price)];
    if (times === null || each === null) return null;
    const gross = rounding === 'precise' ? times * each : rounded(times * each, unit) * unit;
    sum += gross;
    const tax = taxes?.find(({ retained, surcharge }) => !retained && surcharge);
    if (!tax) continue;
    const key = [tax.category, tax.code, tax.rate, tax.surcharge].join(' ');
    surcharged.set(key, { tax, gross: gross + (surcharged.get(key)?.gross ?? 0n) });
  }
  return [...surcharged.values()].reduce((total, { tax, gross }) => total + surchargeOn(gross, tax, unit), rounded(sum, unit));
}

/** The surcharge on prices that include tax, of what is left of them without it. */
function surchargeOn(gross: bigint, { rate, surcharge }: Resource<'Tax'>, unit: bigint): bigint {
  const [ofTax, ofSurcharge] = [scaled(rate) ?? 0n, scaled(surcharge ?? '') ?? 0n];
  const base = rounded(gross, unit) - rounded(gross * ofTax, unit * (HUNDRED + ofTax));
  return rounded(base * ofSurcharge, HUNDRED);
}

/** An amount of the smallest unit as a decimal. */
export function decimalOf(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return amount < 0n ? `-${text}` : text;
}

/** The basket with one more of a product: a product that is in it already counts up. */
export function withProduct(lines: readonly BasketLine[], { id, name, unit_price: price, currency, taxes }: Sellable): BasketLine[] {
  const found = lines.find((line) => line.product_id === id);
  const more = found && scaled(found.quantity);
  if (found && more !== null && more !== undefined)
    return lines.map((line) => (line === found ? { ...line, quantity: plain(more + 10n ** BigInt(SCALE)) } : line));
  return [...lines, { key: nextKey(lines), product_id: id, name, quantity: '1', unit_price: price ?? '', currency, taxes }];
}

/** A line of a text that is no product: its price is still to be typed. */
export const withText = (lines: readonly BasketLine[], name: string): BasketLine[] => [
  ...lines,
  { key: nextKey(lines), product_id: null, name, quantity: '1', unit_price: '', currency: null, taxes: null },
];

const nextKey = (lines: readonly BasketLine[]): number => lines.reduce((most, { key }) => Math.max(most, key), -1) + 1;
const plain = (value: bigint): string => decimalOf(value, SCALE).replace(/\.?0+$/, '');

/** What is sent of lines of one currency. Unit, device and operator are those of the till of this session. */
export function receiptOf(lines: readonly BasketLine[], method: Method, till: Resource<'Till'> | null): Resource<'CreateReceipt'> {
  const [currency] = currenciesOf(lines);
  return {
    ...(currency !== undefined && { currency }),
    items: lines.map(({ product_id: product, name, quantity, unit_price: price }) => ({
      ...(product !== null && { product_id: product }),
      ...{ description: name, quantity: readDecimal(quantity), unit_price: readDecimal(price) },
    })),
    payment_method: method,
    ...(till && { unit: till.unit, device: till.device, ...(till.operator !== null && { operator: till.operator }) }),
  };
}

/** A quantity with one more or one less; a text that is no quantity begins at 1, and it never falls below 1 by this. */
export function counted(quantity: string, step: 1 | -1): string {
  const now = scaled(quantity);
  const one = 10n ** BigInt(SCALE);
  const next = now === null ? one : now + BigInt(step) * one;
  return plain(next < one ? (now ?? one) : next);
}
