import { isRawNumber, type Issue } from '@svc/kernel';
import type { ErrorObject } from 'ajv';
import type { DecimalForm } from './decorators/numbers.ts';
import type { Schema } from './decorators/rule.ts';
import { textFormats } from './decorators/text.ts';

/** The message for a missing field, whatever its rule. */
export const REQUIRED = 'This field is required.';
/** The message for a body that is no object. */
export const NO_OBJECT = 'The body has to be a JSON object: {"field": value, …}.';
export const TOO_LONG =
  'This number has more than 15 significant digits, which a JSON number does not keep for certain: send it as a string.';
const MOST_DIGITS = 15;

/** The message for an unknown field of a body, or parameter of a query. `nearest`: the one that may be meant. */
export const unknownName = (kind: 'field' | 'parameter', nearest: string | undefined): string =>
  `There is no such ${kind} here. ${nearest === undefined ? 'Leave it out.' : `Did you mean ${nearest}?`}`;

export type Ruled = Pick<Issue, 'rule' | 'params'>;

/** The rule that a value breaks, by Ajv's error for the schema. */
export function ruleOf({ keyword, params }: ErrorObject, { pattern, decimal }: Schema, value: unknown): Ruled {
  if (isRawNumber(value)) return { rule: 'precision', params: { max: MOST_DIGITS } };
  const limit = params.limit as number;
  switch (keyword) {
    case 'type':
      return { rule: 'type', params: { types: [params.type as string | string[]].flat() } };
    case 'plain':
      return { rule: 'type', params: { types: ['object'] } };
    case 'enum':
      return { rule: 'enum', params: { values: (params.allowedValues as unknown[]).filter((one) => typeof one === 'string') } };
    case 'format':
      return { rule: 'format', params: { format: params.format === 'sent-timestamp' ? 'timestamp' : (params.format as string) } };
    case 'pattern':
    case 'decimal':
      return decimal
        ? { rule: 'decimal', params: formOf(decimal as DecimalKeyword) }
        : { rule: 'pattern', params: { pattern: pattern as string } };
    case 'minimum':
      return { rule: 'min', params: { min: limit } };
    case 'maximum':
      return { rule: 'max', params: { max: limit } };
    case 'minLength':
      return { rule: 'min_length', params: { min: limit } };
    case 'maxLength':
      return { rule: 'max_length', params: { max: limit } };
    case 'minItems':
      return { rule: 'min_items', params: { min: limit } };
    case 'maxItems':
      return { rule: 'max_items', params: { max: limit } };
    case 'maxProperties':
      return { rule: 'max_pairs', params: { max: limit } };
    case 'uniqueItems':
      return { rule: 'unique', params: {} };
    default:
      return { rule: 'invalid', params: {} };
  }
}

/** The value of the schema keyword `decimal`. */
export type DecimalKeyword = Required<DecimalForm> & { pattern: string };
const formOf = ({ digits, decimals, sign }: DecimalKeyword) => ({ digits, decimals, sign });

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const textProblems: Readonly<Record<string, ((text: string) => string | undefined) | undefined>> = textFormats;

/** The message for a value without a rule of its own, such as one in a list or in metadata. */
export function wordsOf({ rule, params }: Ruled, value: unknown): string {
  switch (rule) {
    case 'precision':
      return TOO_LONG;
    case 'type':
      return `Send ${(params.types as string[]).map((type) => TYPES[type] ?? type).join(' or ')}.`;
    case 'enum':
      return `Send one of: ${(params.values as string[]).join(', ')}.`;
    case 'format':
      return textProblems[params.format as string]?.(value as string) ?? `Send text of the form ${params.format as string}.`;
    case 'min':
      return `Send a number from ${params.min} on.`;
    case 'max':
      return `Send a number of at most ${params.max}.`;
    case 'min_length':
      return `Send text of at least ${params.min} characters.`;
    case 'max_length':
      return `Send text of at most ${params.max} characters.`;
    case 'min_items':
      return `Send a list of at least ${params.min}.`;
    case 'max_items':
      return `Send a list of at most ${params.max}.`;
    case 'max_pairs':
      return `Send at most ${params.max} pairs.`;
    case 'unique':
      return 'Send each entry once.';
    default:
      return 'Send another value: see the reference for what it can be.';
  }
}

/** The message for the key of a pair. */
export const keyWords = (ruled: Ruled, key: string): string =>
  ruled.rule === 'max_length' ? `Send a key of at most ${ruled.params.max} characters.` : wordsOf(ruled, key);
