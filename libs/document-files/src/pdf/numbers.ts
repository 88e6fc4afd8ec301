import { currencyDecimals, numberText, toText, type Decimal } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import type { Words } from './words.ts';

/** Numbers and days as a language writes them. */
export interface Numbers {
  /** With all decimals of the currency, without its code. */
  money(amount: number | Decimal): string;
  /** The same with the other sign. */
  minus(amount: number | Decimal): string;
  /** With the decimals that it has, at least those of the currency. */
  price(amount: number): string;
  /** With the decimals that it has. */
  plain(value: number): string;
  day(day: string): string;
}

export function numbersIn(words: Words, currency: string): Numbers {
  const places = currencyDecimals(currency) ?? 2;
  const written = (text: string, least: number): string => {
    const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    const all = part.padEnd(least, '0');
    return sign + whole.replaceAll(/\B(?=(\d{3})+$)/g, words.thousands) + (all && words.decimal + all);
  };
  const money = (amount: number | Decimal): string =>
    written(typeof amount === 'object' && 'units' in amount ? toText(amount) : exactText(amount), places);
  return {
    money,
    minus: (amount) => (money(amount).startsWith('-') ? money(amount).slice(1) : `-${money(amount)}`),
    price: (amount) => written(exactText(amount), places),
    plain: (value) => written(exactText(numberText(value)), 0),
    day(day) {
      const [year = '', month = '', date = ''] = day.split('-');
      return words.day(year, month, date);
    },
  };
}
