import { rule } from './rule.ts';

/** Printable ASCII needs no further checks. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
/** More than 30 combining marks in a row (UAX #15, stream-safe text). Normalizing a run to NFC takes quadratic time. */
export const hasTooManyMarks = (text: string): boolean => /\p{M}{31}/u.test(text);

/** Why a text is not plain text; undefined if it is. */
export function textProblem(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  if (/\p{Cc}/u.test(text)) return 'Send text without control characters.';
  if (!text.isWellFormed()) return 'Send whole characters: this text has half of a surrogate pair in it.';
  return hasTooManyMarks(text) ? 'Send at most 30 combining marks in a row.' : undefined;
}

/** The format `text`: no control characters (C0, DEL, C1), no lone surrogates, at most 30 combining marks in a row. */
export const isPlainText = (text: string): boolean => textProblem(text) === undefined;

const tooLong = (text: string, max: number): boolean => text.length > max && [...text].length > max;
const tooShort = (text: string, min: number): boolean => text.length < 2 * min && [...text].length < min;

/** `min` to `max` characters of plain text. The JSON parser has trimmed it. */
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

/** Text of a given form. The pattern must bound its length. */
export const Matches = (pattern: string, max: number, message: string): PropertyDecorator => {
  const form = new RegExp(pattern, 'u');
  return rule({
    name: 'hasForm',
    schema: () => ({ type: 'string', maxLength: max, pattern }),
    holds: (value) => typeof value === 'string' && !tooLong(value, max) && form.test(value),
    message,
  });
};

/** A value of a closed list. */
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

/** A text in the form of a BCP 47 tag. */
export const IsLanguage = (): PropertyDecorator =>
  Matches('^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$', 35, 'Send a BCP 47 language tag such as en or es-ES.');

/** A text in the form of a code of UN/ECE recommendation 20 or 21. */
export const IsUnitCode = (): PropertyDecorator =>
  Matches('^[A-Z0-9]{1,3}$', 3, 'Send a UN/ECE unit code of at most three capitals and digits, such as C62 or KGM.');

export const IsSeries = (): PropertyDecorator => Matches('^[A-Z0-9]{1,12}$', 12, 'Send 1 to 12 capitals and digits.');

/**
 * The format of a series' numbers: letters, digits, `/ - . _` and tokens. It must contain `{seq}`, else numbers repeat. `{seq}` must not be
 * next to a letter, digit or token, else numbers of two series can be equal.
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

/** Text of any content, such as an empty one or one with line breaks. */
export const IsAnyText = (max: number): PropertyDecorator =>
  rule({
    name: 'isAnyText',
    schema: () => ({ type: 'string', maxLength: max }),
    holds: (value) => typeof value === 'string' && !tooLong(value, max),
    message: `Send text of at most ${max} characters.`,
  });
