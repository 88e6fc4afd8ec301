import { jsonNumber, toText, type Decimal } from '@svc/kernel';

/** The JSON number with exactly this value. */
export const exactNumber = (value: Decimal): number => jsonNumber(toText(value));
