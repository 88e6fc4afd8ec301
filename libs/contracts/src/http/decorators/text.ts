import { rule } from './rule.ts';

const noControls = '^[^\\u0000-\\u001f\\u007f]*$';
const noControl = new RegExp(noControls, 'u');
const tooLong = (text: string, max: number): boolean => text.length > max && [...text].length > max;

/** 1 to `max` characters without control characters. Blanks around it were cut off before. */
export const IsText = (max = 255): PropertyDecorator =>
  rule({
    name: 'isText',
    schema: () => ({ type: 'string', minLength: 1, maxLength: max, pattern: noControls }),
    holds: (value) => typeof value === 'string' && value !== '' && !tooLong(value, max) && noControl.test(value),
    message: `Send text of 1 to ${max} characters, without control characters.`,
  });

/** `min` to `max` characters without control characters. */
export const IsReason = (min = 3, max = 500): PropertyDecorator =>
  rule({
    name: 'isReason',
    schema: () => ({ type: 'string', minLength: min, maxLength: max, pattern: noControls }),
    holds: (value) => typeof value === 'string' && [...value].length >= min && !tooLong(value, max) && noControl.test(value),
    message: `Send text of ${min} to ${max} characters, without control characters.`,
  });

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

export const IsEmailAddress = (): PropertyDecorator =>
  Matches('^[^@\\s\\u0000-\\u001f\\u007f]+@[^@\\s\\u0000-\\u001f\\u007f]+$', 255, 'Send an email address of at most 255 characters.');

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
