import { t } from '../texts/t.ts';
import type { Decimal } from './numbers.ts';

const CURRENCY = String.raw`(?:[A-Za-z]{3}|\p{Sc})`;
const AMOUNT = new RegExp(`^([-−]?) ?(?:${CURRENCY} ?)?([0-9., '’]+?) ?${CURRENCY}?$`, 'u');
/** One point or comma is that of the decimals. */
const PLAIN = /^(\d*)(?:[.,](\d*))?$/;
/** Thousands are parted by one sign, all of them, and by another one than the decimals. */
const PARTED = /^(\d{1,3}([., '’])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d*))?$/;

/** Sign, whole part and decimals of a number as people write it; undefined where a text is none. */
function partsOf(typed: string): [sign: string, whole: string, part: string] | undefined {
  const [, sign, digits] = AMOUNT.exec(typed.trim().replaceAll(/\s/g, ' ')) ?? [];
  if (digits === undefined) return undefined;
  const [, plain, plainPart = ''] = PLAIN.exec(digits) ?? [];
  const [, parted = '', , partedPart = ''] = PARTED.exec(digits) ?? [];
  const [whole, part] = plain === undefined ? [parted.replaceAll(/\D/g, ''), partedPart] : [plain, plainPart];
  return whole + part === '' ? undefined : [sign ? '-' : '', whole || '0', part];
}

/** A decimal as people write it, with a comma, parted thousands or a currency, as the interface takes it. Any other text stays: the interface refuses it. */
export function readDecimal(typed: string): Decimal {
  const parts = partsOf(typed);
  if (!parts) return typed.trim();
  const [sign, whole, part] = parts;
  return `${sign}${whole}${part && `.${part}`}`;
}

/** How an amount is taken that may be meant as thousands, "1.234": with decimals, as it is everywhere. Undefined where only one of them can be meant. */
export function showUnclear(typed: string): string | undefined {
  const [sign = '', whole = '', part = ''] = partsOf(typed) ?? [];
  if (part.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole)) return undefined;
  return t('decimal.unclear', { taken: `${sign}${whole}.${part}`, thousands: `${sign}${whole}${part}` });
}
