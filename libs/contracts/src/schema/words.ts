import { isRawNumber } from '@svc/kernel';
import type { ErrorObject } from 'ajv';
import { textFormats } from './decorators/text.ts';

/** The message for a missing field, whatever its rule. */
export const REQUIRED = 'This field is required.';
export const UNKNOWN = 'There is no such field here. Leave it out.';
export const TOO_LONG =
  'This number has more than 15 significant digits, which a JSON number does not keep for certain: send it as a string.';

/** The message for a value without a rule of its own, such as one in a list or in metadata. */
export function wordsOf({ keyword, params, message }: ErrorObject, value: unknown): string {
  if (isRawNumber(value)) return TOO_LONG;
  switch (keyword) {
    case 'enum':
      return `Send one of: ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'format':
      return textFormats[params.format as keyof typeof textFormats](value as string) as string;
    default:
      return `This ${message ?? 'is wrong'}.`;
  }
}
