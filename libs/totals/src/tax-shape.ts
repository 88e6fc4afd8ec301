import { jsonNumber } from '@svc/kernel';
import type { Tax } from './terms.ts';

/** A tax as the API returns it. */
export const taxShape = ({ rate, surcharge, ...tax }: Tax) => ({
  ...tax,
  rate: jsonNumber(rate),
  ...(surcharge === undefined ? {} : { surcharge: jsonNumber(surcharge) }),
});
