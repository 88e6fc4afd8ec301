import { isRawNumber } from '@svc/kernel';
import { rule } from './rule.ts';
import { textProblem } from './text.ts';

const isPlainText = (text: string): boolean => textProblem(text) === undefined;

/** True for a JSON object. Numbers with more than 15 digits are parsed to raw JSON objects, which are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

const SHORT_ENOUGH = 'an object of at most 50 pairs, with keys of at most 40 characters and texts of at most 500';

const pairs = (valueType: 'string' | readonly ['string', 'null'], isValue: (value: unknown) => boolean, message: string) =>
  rule({
    name: 'isMetadata',
    schema: () => ({
      type: 'object',
      plain: true,
      maxProperties: 50,
      propertyNames: { maxLength: 40, format: 'text' },
      additionalProperties: { type: valueType, maxLength: 500, format: 'text' },
    }),
    holds: (value) =>
      isObject(value) &&
      Object.keys(value).length <= 50 &&
      Object.entries(value).every(([key, content]) => [...key].length <= 40 && isPlainText(key) && isValue(content)),
    message,
  });

const isValue = (value: unknown): boolean =>
  typeof value === 'string' && (value.length <= 500 || [...value].length <= 500) && isPlainText(value);

/** The caller's own pairs. They are stored and returned, never interpreted. */
export const IsMetadata = (): PropertyDecorator => pairs('string', isValue, `Send ${SHORT_ENOUGH}.`);

/** Pairs to merge into the existing ones; null removes a pair. */
export const IsMetadataPatch = (): PropertyDecorator =>
  pairs(['string', 'null'], (value) => value === null || isValue(value), `Send ${SHORT_ENOUGH}, or null to remove a pair.`);

/** Stored pairs, as they are answered: their texts were judged when they were sent. */
export const KeptMetadata = (): PropertyDecorator =>
  rule({
    name: 'isKeptMetadata',
    schema: () => ({
      type: 'object',
      plain: true,
      maxProperties: 50,
      propertyNames: { maxLength: 40 },
      additionalProperties: { type: 'string', maxLength: 500 },
    }),
    holds: isObject,
    message: `Send ${SHORT_ENOUGH}.`,
  });

/** An object of any shape. */
export const AnyObject = (): PropertyDecorator =>
  rule({ name: 'isObject', schema: () => ({ type: 'object', plain: true }), holds: isObject, message: 'Send an object.' });

/** Field paths to messages, at least one message each. */
export const MessagesByField = (): PropertyDecorator =>
  rule({
    name: 'messagesByField',
    schema: () => ({
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', minLength: 1, maxLength: 4000 } },
    }),
    holds: isObject,
    message: 'Send an object of lists of texts.',
  });
/** Pairs of a request. */
export type MetadataInput = Record<string, string>;
/** Pairs to merge. Null removes a pair; null in place of the object removes all. */
export type MetadataPatch = Record<string, string | null> | null;
