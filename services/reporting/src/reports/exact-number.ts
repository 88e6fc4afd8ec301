import { jsonNumber, toText, ZERO, type Decimal } from '@svc/kernel';

/** The JSON number with exactly this value; never −0. */
export const exactNumber = (value: Decimal): number => (value.eq(ZERO) ? 0 : jsonNumber(toText(value)));
