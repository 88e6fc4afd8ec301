import type { Decimal } from '@svc/kernel';
import { exactNumber } from './exact-number.ts';
import type { Key } from './report.ts';
import type { Row } from './tally.ts';

/** A row as published, with its documents cited where that is asked for. */
export const rowShape = ({ key, currency, documents, amounts, references }: Row, cites: boolean) => ({
  ...keyShape(key),
  currency,
  documents,
  ...exactNumbers(amounts),
  ...(cites ? { cited: references } : {}),
});

const keyShape = (key: Key) =>
  Object.fromEntries(
    Object.entries(key).map(([field, value]) => [field, value === null || typeof value === 'string' ? value : exactNumber(value)]),
  );

export const exactNumbers = (amounts: Record<string, Decimal>) =>
  Object.fromEntries(Object.entries(amounts).map(([column, amount]) => [column, exactNumber(amount)]));
