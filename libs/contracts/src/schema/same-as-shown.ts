import { decimal, isRawNumber, numberText, toText } from '@svc/kernel';
import type { Class } from './class.ts';
import { isObject, isLive } from './decorators/metadata.ts';
import { nestedOf } from './decorators/nested.ts';
import { canonicalTimestamp } from './decorators/times.ts';
import { tidyText } from './decorators/text.ts';

/**
 * Whether a value that was sent is the one that a resource shows, as clients write it that have read it: a number as any decimal of the same value
 * or as the nearest double, a timestamp in any form, an object without fields that the client does not know, null for a field that is absent.
 * `shape`: the class of the object or of the objects of a list. Linear in the size of what was sent.
 */
export function isSame(sent: unknown, shown: unknown, shape: Class | undefined): boolean {
  if (Array.isArray(sent))
    return Array.isArray(shown) && sent.length === shown.length && sent.every((one, n) => isSame(one, shown[n], shape));
  if (isObject(sent)) {
    if (!isObject(shown)) return false;
    const prototype = shape?.prototype as object | undefined;
    return Object.entries(sent).every(
      ([name, value]) =>
        (prototype && isLive(prototype, name)) ||
        isSame(value, Object.hasOwn(shown, name) ? shown[name] : undefined, prototype && nestedOf(prototype, name)),
    );
  }
  const forms = formsOfShown(shown);
  return formsOfSent(sent).some((form) => forms.includes(form));
}

/** Texts of a plain value that was sent: it is the one that is shown if both have a text in common. */
export function formsOfSent(sent: unknown): string[] {
  if (typeof sent === 'string') return [...textForms(sent), ...numberForm(sent)];
  return isNumber(sent) ? numberForm(numberText(sent)) : plainForm(sent);
}

/** The same of a value that a resource shows. A client whose numbers are doubles sends the nearest one of a longer number. */
export function formsOfShown(shown: unknown): string[] {
  if (typeof shown === 'string') return textForms(shown);
  if (!isNumber(shown)) return plainForm(shown);
  const text = numberText(shown);
  return [...numberForm(text), ...numberForm(String(Number(text)))];
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawNumber(value);

/** No amount, count or version is longer. */
const NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?$/;
const numberForm = (text: string): string[] => (NUMBER.test(text) ? [`number ${toText(decimal(text))}`] : []);

function textForms(text: string): string[] {
  const moment = canonicalTimestamp(text);
  return moment === undefined ? [`text ${tidyText(text)}`] : [`text ${text}`, `moment ${moment}`];
}

const plainForm = (value: unknown): string[] => (typeof value === 'object' && value !== null ? [] : [`plain ${String(value ?? null)}`]);
