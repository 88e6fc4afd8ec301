import { isRawNumber } from '@svc/kernel';
import { About } from './about.ts';
import { Nullable, Optional, rule } from './rule.ts';
import { textProblem } from './text.ts';
import 'reflect-metadata';
import type { Class } from '../class.ts';

const isPlainText = (text: string): boolean => textProblem(text) === undefined;

/** True for a JSON object. Numbers with more than 15 digits are parsed to raw JSON objects, which are not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** Most pairs, and most characters of a key and of a text. */
interface Most {
  pairs: number;
  key: number;
  text: number;
}

const METADATA: Most = { pairs: 50, key: 40, text: 500 };
const HEADERS: Most = { pairs: 10, key: 64, text: 1_000 };

const shortEnough = ({ pairs, key, text }: Most): string =>
  `an object of at most ${pairs} pairs, with keys of at most ${key} characters and texts of at most ${text}`;
const isShort = (text: string, most: number): boolean => (text.length <= most || [...text].length <= most) && isPlainText(text);

/** Pairs of texts. `removes`: null removes a pair. */
const pairs = (most: Most, message: string, removes: readonly null[] = []) =>
  rule({
    name: 'isMetadata',
    schema: () => ({
      type: 'object',
      plain: true,
      maxProperties: most.pairs,
      propertyNames: { maxLength: most.key, format: 'text' },
      additionalProperties: { type: removes.length > 0 ? ['string', 'null'] : 'string', maxLength: most.text, format: 'text' },
    }),
    holds: (value) =>
      isObject(value) &&
      Object.keys(value).length <= most.pairs &&
      Object.entries(value).every(
        ([key, content]) =>
          isShort(key, most.key) && (typeof content === 'string' ? isShort(content, most.text) : removes.includes(content as null)),
      ),
    message,
  });
const merged = (most: Most): PropertyDecorator => pairs(most, `Send ${shortEnough(most)}, or null to remove a pair.`, [null]);

/** The decorators as if they stood above a field, the first one on top. */
const inOrder =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, property) =>
    decorators.toReversed().forEach((decorate) => decorate(target, property));

const OWN_PAIRS = 'Your own pairs: at most 50, keys of at most 40 characters, values of at most 500.';
const MERGED_PAIRS = 'Pairs to merge; null as a value removes a pair, null in place of all empties it.';

/** `metadata` of a request: the caller's own pairs, which are stored and returned, never interpreted. `more`: what else is said about them. */
export const OwnMetadata = (...more: string[]): PropertyDecorator =>
  inOrder(About([OWN_PAIRS, ...more].join(' ')), Optional(), pairs(METADATA, `Send ${shortEnough(METADATA)}.`));
/** `metadata` of a merge patch: pairs to merge into the existing ones; null removes a pair. */
export const MetadataChange = (...more: string[]): PropertyDecorator =>
  inOrder(About([MERGED_PAIRS, ...more].join(' ')), Optional(), Nullable(), merged(METADATA));

/** Names of headers and their values. Whoever serves them judges the names. */
export const IsHeaders = (): PropertyDecorator => pairs(HEADERS, `Send ${shortEnough(HEADERS)}.`);
export const IsHeadersPatch = (): PropertyDecorator => merged(HEADERS);

/** Stored pairs, as they are answered: their texts were judged when they were sent. */
export const KeptMetadata = (): PropertyDecorator =>
  inOrder(
    About(OWN_PAIRS),
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
      message: `Send ${shortEnough(METADATA)}.`,
    }),
  );

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

const writes = Symbol('writes');
const live = Symbol('live');

export interface Written {
  resource: Class;
  /** Fields of the resource that another request writes, once. */
  fixed: readonly string[];
}

/**
 * The resource that a request body writes. Its fields that the body does not have are calculated: they may be sent as they were read, see
 * `takeCalculated`. Whoever serves such a body calls `checkCalculated`. `fixed`: those that are given at the creation and not calculated.
 */
export const Writes =
  (resource: () => Class, fixed: readonly string[] = []): ClassDecorator =>
  (request) =>
    Reflect.defineMetadata(writes, () => ({ resource: resource(), fixed }), request);

export const writtenBy = (request: Class): Written | undefined =>
  (Reflect.getOwnMetadata(writes, request) as (() => Written) | undefined)?.();

/** A field of a resource that changes by itself, between a read and the write that follows: sent back, it is ignored whatever its value. */
export const Live = (): PropertyDecorator => (target, property) => Reflect.defineMetadata(live, true, target, property);

export const isLive = (prototype: object, property: string): boolean => Reflect.hasMetadata(live, prototype, property);
