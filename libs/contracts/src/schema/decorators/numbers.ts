import { decimal as exact, isRawNumber, toText } from '@svc/kernel';
import { rule } from './rule.ts';

export type Sign = 'any' | 'not negative' | 'positive' | 'not zero';
export interface DecimalForm {
  /** Maximum number of digits after the point. */
  decimals: number;
  /** Maximum number of digits before the point. */
  digits?: number;
  sign?: Sign;
}

const signs: Record<Sign, readonly [string, string]> = {
  any: ['-?', ''],
  'not negative': ['', ', not negative'],
  positive: ['(?=.*[1-9])', ', greater than zero'],
  'not zero': ['(?=.*[1-9])-?', ', not zero'],
};

/** Decimal text of a number without an exponent. */
const plainText = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? toText(exact(text)) : text;
};

/** The schema keyword `decimal`: validates a JSON number by the pattern of decimal strings. Its other values are those of the form, for `issues`. */
export const decimalNumber = ({ pattern }: { pattern: string }): ((value: number) => boolean) => {
  const form = new RegExp(pattern, 'u');
  return (value) => form.test(plainText(value));
};

/**
 * A decimal number as a JSON number or as a string without an exponent. A JSON number with more than 15 significant digits is invalid,
 * because the sender's JSON library may have changed its digits.
 */
export const IsDecimal = ({ decimals, digits = 12, sign = 'any' }: DecimalForm): PropertyDecorator => {
  const [before, limit] = signs[sign];
  const limits = `at most ${digits} digits before and ${decimals} after the point${limit}`;
  const pattern = `^${before}\\d{1,${digits}}${decimals > 0 ? `(?:\\.\\d{1,${decimals}})?` : ''}$`;
  const text = new RegExp(pattern, 'u');
  const number = decimalNumber({ pattern });
  const decimal = { pattern, digits, decimals, sign };
  return rule({
    name: 'isDecimal',
    schema: () => ({ type: ['number', 'string'], pattern, decimal, decimalLimits: `A${limits.slice(1)}.` }),
    holds: (value) => (typeof value === 'number' ? number(value) : typeof value === 'string' && text.test(value)),
    message: (value) =>
      isRawNumber(value)
        ? 'This JSON number has more than 15 significant digits, which not every program keeps: send it as a string.'
        : `Send a number or a decimal string with ${limits}, without exponent.`,
  });
};

/** An amount with at most 4 decimals, the most of any currency. Code that knows the currency checks the exact number. */
export const IsMoney = (form: Partial<DecimalForm> = {}): PropertyDecorator => IsDecimal({ decimals: 4, sign: 'not negative', ...form });

/** A percentage or rate; 20 is 20 %. */
export const IsPercent = (): PropertyDecorator => IsDecimal({ decimals: 6, digits: 3, sign: 'not negative' });

export interface WholeForm {
  min: number;
  max: number;
  default?: number;
}
export const IsWhole = ({ min, max, ...more }: WholeForm): PropertyDecorator =>
  rule({
    name: 'isWhole',
    schema: () => ({ type: 'integer', minimum: min, maximum: max, ...more }),
    holds: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    message: `Send a whole number from ${min} to ${max}.`,
  });

export const IsFlag = (): PropertyDecorator =>
  rule({
    name: 'isFlag',
    schema: () => ({ type: 'boolean' }),
    holds: (value) => typeof value === 'boolean',
    message: 'Send true or false.',
  });

/** An exact number of a response: raw JSON if a double does not hold it. */
export const IsExact = (): PropertyDecorator =>
  rule({
    name: 'isExact',
    schema: () => ({ exact: true }),
    holds: isExact,
    message: 'This has to be a number.',
  });

/** The schema keyword `exact`. */
export const isExact = (value: unknown): boolean => (typeof value === 'number' && Number.isFinite(value)) || isRawNumber(value);

/** An amount, quantity or percentage in a request: a JSON number or a decimal string. `numberText` of the kernel gives its digits. */
export type MoneyInput = number | string;
