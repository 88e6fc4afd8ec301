import { invalid, jsonBytes } from '@svc/kernel';
import type { IssuerState } from './state.ts';

/** Of its JSON. */
const MOST_BYTES = 64 * 1_024;

/** Throws validation_error naming the largest field. An issuer stored larger before there was this limit may change without growing. */
export function checkSize(next: IssuerState, now: IssuerState): void {
  const bytes = jsonBytes(next);
  if (bytes <= MOST_BYTES || bytes <= jsonBytes(now)) return;
  const [largest] = (['units', 'operators', 'metadata'] as const).toSorted((a, b) => jsonBytes(next[b]) - jsonBytes(next[a]));
  throw invalid({ [largest ?? 'units']: [`make the issuer larger than ${MOST_BYTES / 1_024} KiB of JSON: it would have ${bytes} bytes.`] });
}
