import { locale } from '../texts/t.ts';

const whole = new Intl.NumberFormat(locale);
export const showNumber = (value: number): string => whole.format(value);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in the unit that keeps the number short: "1.4 GB". */
export function showBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const options = { style: 'unit', unit: UNITS[power], maximumFractionDigits: power === 0 ? 0 : 1 } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** power);
}

/** Decimals of ISO 4217 that are not 2. Not those of Intl, which has fewer for some currencies. */
const DECIMALS: Record<string, number> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

/** How many decimals amounts of a currency have. */
export const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2;

/** An exact decimal as the interface writes it, `-1234.5678`: a number of JavaScript does not hold all digits. */
export type Decimal = string;

/** An amount with its currency's code: "EUR 1,234.50". */
export const showMoney = (amount: Decimal, currency: string): string =>
  format(amount, { ...inCode(currency), maximumFractionDigits: decimalsOf(currency) });

const inCode = (currency: string) =>
  ({ style: 'currency', currency, currencyDisplay: 'code', minimumFractionDigits: decimalsOf(currency) }) as const;

/** An amount without its currency, which stands beside it. */
export const showAmount = (amount: Decimal, currency: string): string => decimals(amount, decimalsOf(currency), decimalsOf(currency));

/** A price, with the decimals that it has: at least those of its currency. */
export const showPrice = (price: Decimal, currency: string): string => decimals(price, decimalsOf(currency), MOST_DECIMALS);

/** A price with its currency's code, "EUR 1.005", and the decimals that it has. Without a currency, the number alone. */
export const showPriceIn = (price: Decimal, currency: string | undefined): string =>
  currency === undefined ? showQuantity(price) : format(price, { ...inCode(currency), maximumFractionDigits: MOST_DECIMALS });

/** A quantity or a rate, with the decimals that it has. */
export const showQuantity = (quantity: Decimal): string => decimals(quantity, 0, MOST_DECIMALS);

export const isZero = (decimal: Decimal): boolean => /^-?0*(?:\.0*)?$/.test(decimal);
export const negated = (decimal: Decimal): Decimal =>
  isZero(decimal) ? decimal : decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
/** Whether two decimals are the same number, however they are written. */
export const isSame = (one: Decimal, other: Decimal): boolean => showQuantity(one) === showQuantity(other);

const MOST_DECIMALS = 12;
const decimals = (value: Decimal, least: number, most: number): string =>
  format(value, { minimumFractionDigits: least, maximumFractionDigits: most });

/** Formats the text itself: as a number it would lose digits. */
const format = (value: Decimal, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale, options).format(value as Intl.StringNumericLiteral);

/** A time that something took: "1,204 ms". */
export const showMilliseconds = (ms: number): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', maximumFractionDigits: ms < 10 ? 1 : 0 }).format(ms);
