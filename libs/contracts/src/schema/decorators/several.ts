import { isCurrency } from './codes.ts';
import { rule, type Schema } from './rule.ts';
import { isPlainText, listed } from './text.ts';

/** Values of one filter. */
const MOST_VALUES = 20;
/** Characters of a text. */
const LONGEST = 255;
/** Characters of a wrong value that a message repeats. */
const SHOWN = 64;

const quoted = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text);

interface Values {
  /** Of one value. */
  each: Schema;
  holds(text: string): boolean;
  /** What to send instead of a wrong value. */
  instead: string;
  whole?: boolean;
}

/**
 * The values of a filter of a list, of which one must hold. A query has them in one text, divided by commas. The keyword `each` is `items` with the messages
 * of the whole list; `whole`: the text is compared as it is, too, since what is stored may have commas in it.
 */
const several = ({ each, holds, instead, whole = false }: Values): PropertyDecorator => {
  const isValue = (value: unknown): boolean => typeof value === 'string' && holds(value);
  return rule({
    name: 'several',
    schema: () => ({ type: 'array', minItems: 1, maxItems: MOST_VALUES, each, ...(whole && { whole }) }),
    holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= MOST_VALUES && value.every(isValue),
    message(value) {
      if (!Array.isArray(value)) return `Send up to ${MOST_VALUES} values in one parameter, divided by commas.`;
      if (value.length > MOST_VALUES) return `Send at most ${MOST_VALUES} values, divided by commas.`;
      const wrong = value.find((one) => !isValue(one)) as string | undefined;
      return `${wrong ? `${quoted(wrong)} is not one of the values here. ` : 'One of the values is empty. '}${instead}`;
    },
  });
};

/** Values of a closed list. */
export const SeveralOf = (values: readonly string[]): PropertyDecorator =>
  several({
    each: listed(values),
    holds: (text) => values.includes(text),
    instead: `Send one or more of these, divided by commas: ${values.join(', ')}.`,
  });

const texts = (whole: boolean): PropertyDecorator =>
  several({
    each: { type: 'string', minLength: 1, maxLength: LONGEST, format: 'visible' },
    holds: isPlainText(LONGEST),
    instead: `Send texts of 1 to ${LONGEST} characters, divided by commas, without control characters and line breaks.`,
    whole,
  });

/** Texts, as of `IsText`. */
export const SeveralTexts = (): PropertyDecorator => texts(false);
/** The same where what is stored may have commas in it. */
export const SeveralWholeTexts = (): PropertyDecorator => texts(true);

export const SeveralCurrencies = (): PropertyDecorator =>
  several({
    each: { type: 'string', maxLength: 3, format: 'currency' },
    holds: isCurrency,
    instead: 'Send ISO 4217 currency codes in capitals, divided by commas, such as EUR,USD.',
  });
