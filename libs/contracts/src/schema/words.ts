import { isRawNumber } from '@svc/kernel';
import type { ErrorObject } from 'ajv';
import { textProblem } from './decorators/text.ts';

/** Told as it is, whatever the field's own rules would say of nothing. */
export const REQUIRED = 'This field is required.';
export const UNKNOWN = 'There is no such field here. Leave it out.';
export const TOO_LONG =
  'This number has more than 15 significant digits, which a JSON number does not keep for certain: send it as a string.';

/** What to send instead of a value whose field has no words of its own, such as one inside a list or among metadata. */
export function wordsOf({ keyword, params, message }: ErrorObject, value: unknown): string {
  if (isRawNumber(value)) return TOO_LONG;
  switch (keyword) {
    case 'enum':
      return `Send one of: ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'format':
      return textProblem(value as string) as string;
    default:
      return `This ${message ?? 'is wrong'}.`;
  }
}
