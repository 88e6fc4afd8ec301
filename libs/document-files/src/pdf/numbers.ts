import { currencyDecimals, numberText, toText, type Decimal } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import type { Words } from './words.ts';

/** Numbers and days as a language writes them. */
export function numbersIn(words: Words, currency: string) {
  const places = currencyDecimals(currency) ?? 2;
  const written = (text: string, least: number): string => {
    const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    const all = part.padEnd(least, '0');
    return sign + whole.replaceAll(/\B(?=(\d{3})+$)/g, words.thousands) + (all && words.decimal + all);
  };
  const money = (amount: number | Decimal): string =>
    written(typeof amount === 'object' && 'units' in amount ? toText(amount) : exactText(amount), places);
  return {
    /** With all decimals of the currency, without its code. */
    money,
    /** The same with the other sign. */
    minus: (amount: number | Decimal): string => (money(amount).startsWith('-') ? money(amount).slice(1) : `-${money(amount)}`),
    /** With the decimals that it has, at least those of the currency. */
    price: (amount: number): string => written(exactText(amount), places),
    /** With the decimals that it has. */
    plain: (value: number): string => written(exactText(numberText(value)), 0),
    day(day: string): string {
      const [year = '', month = '', date = ''] = day.split('-');
      return words.day(year, month, date);
    },
  };
}

export type Numbers = ReturnType<typeof numbersIn>;
