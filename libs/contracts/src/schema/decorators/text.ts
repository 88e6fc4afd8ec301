import { nameOfVocabulary } from '../vocabulary.ts';
import { rule, type Schema } from './rule.ts';

/** Printable ASCII needs no further checks. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
/** More than 30 combining marks in a row (UAX #15, stream-safe text). Normalizing a run to NFC takes quadratic time. */
const hasTooManyMarks = (text: string): boolean => /\p{M}{31}/u.test(text);
/** Control characters (C0, DEL, C1), and the line and paragraph separators U+2028 and U+2029. */
const hasControls = (text: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
/**
 * A letter, number, punctuation mark or symbol that is drawn. Spaces, combining marks, control and format characters, the characters that
 * Unicode lets a program ignore, unassigned ones, and the few symbols that are drawn as nothing, are not.
 */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{1D159}]]/v;
/** Of a text that may have line breaks. */
const MOST_LINE_BREAKS = 100;

/** Why a text is not plain text on one line; undefined if it is. */
export function textProblem(text: string): string | undefined {
  if (isAscii(text)) return undefined;
  if (hasControls(text)) return 'Send text without control characters and line breaks.';
  if (!text.isWellFormed()) return 'Send whole characters: this text has half of a surrogate pair in it.';
  return hasTooManyMarks(text) ? 'Send at most 30 combining marks in a row.' : undefined;
}

/** The same for text of which something has to be visible. */
const visibleProblem = (text: string): string | undefined =>
  textProblem(text) ?? (VISIBLE.test(text) ? undefined : 'Send text that shows something: nothing of this one is visible.');

/** The same for text that may have line breaks, as `\n`. */
function linesProblem(text: string): string | undefined {
  const lines = text.split('\n', MOST_LINE_BREAKS + 2);
  if (lines.length > MOST_LINE_BREAKS + 1) return `Send at most ${MOST_LINE_BREAKS} line breaks.`;
  const line = lines.length === 1 ? text : lines.join(' ');
  return hasControls(line) ? 'Send text whose only control characters are line breaks, as \\n or \\r\\n.' : visibleProblem(line);
}

/** The formats of free text, each with why a text does not have it. */
export const textFormats = { text: textProblem, visible: visibleProblem, lines: linesProblem } as const;
type TextFormat = keyof typeof textFormats;

const tooLong = (text: string, max: number): boolean => text.length > max && [...text].length > max;
const tooShort = (text: string, min: number): boolean => text.length < 2 * min && [...text].length < min;

const freeText = (format: TextFormat, max: number, min: number, kind: string): PropertyDecorator => {
  const problem = textFormats[format];
  const message = `Send text of ${min} to ${max} characters, ${kind}.`;
  return rule({
    name: 'isText',
    schema: () => ({ type: 'string', minLength: min, maxLength: max, format }),
    holds: (value) => typeof value === 'string' && !tooShort(value, min) && !tooLong(value, max) && problem(value) === undefined,
    message: (value) => {
      if (typeof value !== 'string' || tooShort(value, min) || tooLong(value, max)) return message;
      return hasControls(value.replaceAll('\n', ' ')) ? message : (problem(value) ?? message);
    },
  });
};

/** Whether a text is what `IsText` of so many characters asks for. */
export const isPlainText =
  (max: number) =>
  (text: string): boolean =>
    !tooLong(text, max) && visibleProblem(text) === undefined;

/** `min` to `max` characters of plain text on one line; something is visible unless it may be empty. The JSON parser has trimmed it. */
export const IsText = (max = 255, min = 1): PropertyDecorator =>
  freeText(min > 0 ? 'visible' : 'text', max, min, 'without control characters and line breaks');

/** The same, with up to 100 line breaks. */
export const IsLines = (max = 2000, min = 1): PropertyDecorator =>
  freeText('lines', max, min, `without control characters but for at most ${MOST_LINE_BREAKS} line breaks`);

export const IsReason = (): PropertyDecorator => IsLines(500, 3);

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

/** A text of a closed list. Keyword `vocabulary`, which does not validate: the name of the list. */
export function listed(values: readonly string[]): Schema {
  const vocabulary = nameOfVocabulary(values);
  return { type: 'string', enum: [...values], ...(vocabulary === undefined ? {} : { vocabulary }) };
}

/** A value of a closed list. */
export const OneOf = (values: readonly string[], message = `Send one of: ${values.join(', ')}.`): PropertyDecorator =>
  rule({
    name: 'oneOf',
    schema: () => listed(values),
    holds: (value) => values.includes(value as string),
    message,
  });

export const isEmailAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text) && textProblem(text) === undefined;

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

/**
 * A text as it is stored and compared: trimmed, in NFC, with `\n` for `\r\n`. What every schema rejects is not normalized: lone surrogates, and
 * runs of marks whose NFC takes quadratic time.
 */
export function tidyText(text: string): string {
  const tidied = tidyAscii(text);
  return tidied.isWellFormed() && !hasTooManyMarks(tidied) ? tidied.normalize('NFC') : tidied;
}

/** The same for a text of ASCII characters alone, which is in NFC. */
export const tidyAscii = (text: string): string => text.trim().replaceAll('\r\n', '\n');
