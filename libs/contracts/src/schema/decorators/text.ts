import { rule } from './rule.ts';

/** Text of printable ASCII needs no further look. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
/** Bringing more combining marks in a row into NFC takes time by the square of their number (UAX #15, stream-safe text: 30). */
export const hasTooManyMarks = (text: string): boolean => /\p{M}{31}/u.test(text);

/** What makes of a text no plain one, in words; undefined when nothing does. */
export function textProblem(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  if (/\p{Cc}/u.test(text)) return 'Send text without control characters.';
  if (!text.isWellFormed()) return 'Send whole characters: this text has half of a surrogate pair in it.';
  return hasTooManyMarks(text) ? 'Send at most 30 combining marks in a row.' : undefined;
}

/** The format `text`: no control character (C0, DEL, C1), no half of a surrogate pair, no endless run of combining marks. */
export const isPlainText = (text: string): boolean => textProblem(text) === undefined;

const tooLong = (text: string, max: number): boolean => text.length > max && [...text].length > max;
const tooShort = (text: string, min: number): boolean => text.length < 2 * min && [...text].length < min;

/** `min` to `max` characters without control characters. Blanks around it were cut off before. */
export const IsText = (max = 255, min = 1): PropertyDecorator => {
  const message = `Send text of ${min} to ${max} characters, without control characters.`;
  return rule({
    name: 'isText',
    schema: () => ({ type: 'string', minLength: min, maxLength: max, format: 'text' }),
    holds: (value) => typeof value === 'string' && !tooShort(value, min) && !tooLong(value, max) && isPlainText(value),
    message: (value) => (typeof value === 'string' && !/\p{Cc}/u.test(value) && textProblem(value)) || message,
  });
};

export const IsReason = (): PropertyDecorator => IsText(500, 3);

/** Text of a given form. The pattern bounds its length. */
export const Matches = (pattern: string, max: number, message: string): PropertyDecorator => {
  const form = new RegExp(pattern, 'u');
  return rule({
    name: 'hasForm',
    schema: () => ({ type: 'string', maxLength: max, pattern }),
    holds: (value) => typeof value === 'string' && !tooLong(value, max) && form.test(value),
    message,
  });
};

/** One of a closed list. */
export const OneOf = (values: readonly string[]): PropertyDecorator =>
  rule({
    name: 'oneOf',
    schema: () => ({ type: 'string', enum: [...values] }),
    holds: (value) => values.includes(value as string),
    message: `Send one of: ${values.join(', ')}.`,
  });

export const isEmailAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text) && isPlainText(text);

export const IsEmailAddress = (): PropertyDecorator =>
  rule({
    name: 'isEmailAddress',
    schema: () => ({ type: 'string', maxLength: 255, format: 'email-address' }),
    holds: (value) => typeof value === 'string' && !tooLong(value, 255) && isEmailAddress(value),
    message: 'Send an email address of at most 255 characters.',
  });

/** A BCP 47 tag, by its form. */
export const IsLanguage = (): PropertyDecorator =>
  Matches('^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$', 35, 'Send a BCP 47 language tag such as en or es-ES.');

/** A code of UN/ECE recommendation 20 or 21, by its form. */
export const IsUnitCode = (): PropertyDecorator =>
  Matches('^[A-Z0-9]{1,3}$', 3, 'Send a UN/ECE unit code of at most three capitals and digits, such as C62 or KGM.');

export const IsSeries = (): PropertyDecorator => Matches('^[A-Z0-9]{1,12}$', 12, 'Send 1 to 12 capitals and digits.');

/**
 * How a series writes its numbers: letters, digits, `/ - . _` and the tokens. `{seq}` has to be in it, or numbers would repeat, and
 * touches neither letter, digit nor token, or those of two series could read the same.
 */
export const IsSeriesFormat = (): PropertyDecorator =>
  Matches(
    '^(?:(?:[A-Za-z0-9]|\\{(?:series|year|unit|device)\\})*[/._-])*\\{seq(?::[1-9])?\\}(?:[/._-](?:(?:[A-Za-z0-9]|\\{(?:series|year|unit|device)\\})*|\\{seq(?::[1-9])?\\}))*$',
    60,
    'Send letters, digits, / - . _ and the tokens {series} {year} {unit} {device} {seq} {seq:6}; {seq} has to be among them, divided from what stands beside it by one of / - . _',
  );

/** Base64 (RFC 4648, section 4) of at most `bytes` bytes. */
export const IsBase64 = (bytes: number): PropertyDecorator =>
  Matches(
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    Math.ceil(bytes / 3) * 4,
    `Send at most ${bytes} bytes in base64, with padding and without line breaks.`,
  );

/** Text as it is: empty, or with line breaks. */
export const IsAnyText = (max: number): PropertyDecorator =>
  rule({
    name: 'isAnyText',
    schema: () => ({ type: 'string', maxLength: max }),
    holds: (value) => typeof value === 'string' && !tooLong(value, max),
    message: `Send text of at most ${max} characters.`,
  });
