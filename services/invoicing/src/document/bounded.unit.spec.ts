import { jsonBytes } from '@svc/kernel';
import { checkSize, MOST_AT_ALL_BYTES } from './bounded.ts';

const KiB = 1_024;

interface Voiding {
  /** Characters of what the event adds. */
  stored: number;
  /** Characters of the document's content, which can no longer be changed. */
  content: number;
  metadata: number;
}

/** The fields of the error when a document whose metadata alone can change is voided; undefined: it can be voided. */
function domainErrorOf({ stored, content, metadata }: Voiding) {
  const resource = { issuer: null, customer: null, metadata: { a: 'm'.repeat(metadata) }, content: 'c'.repeat(content) };
  try {
    checkSize({
      ...{ resource, before: () => resource, hasParties: true, again: null },
      ...{ stored: () => jsonBytes([{ text: 's'.repeat(stored) }]), written: null, changeable: 'metadata', ends: true },
    });
    return undefined;
  } catch (error) {
    return error as { code: string; details?: { fields?: object } };
  }
}

test('names metadata where the event fits without it', () => {
  const content = MOST_AT_ALL_BYTES - KiB;
  expect(domainErrorOf({ stored: 0, content, metadata: 0 })).toBeUndefined();
  expect(domainErrorOf({ stored: 0, content, metadata: 2 * KiB })).toMatchObject({ code: 'validation_error' });
});

test('does not name metadata where the content, or what the event adds, is too large without it', () => {
  expect(domainErrorOf({ stored: 0, content: MOST_AT_ALL_BYTES + KiB, metadata: 2 * KiB })).toMatchObject({ code: 'invalid_state' });
  const event = { stored: MOST_AT_ALL_BYTES + KiB, content: MOST_AT_ALL_BYTES - 3 * KiB, metadata: 5 * KiB };
  expect(jsonBytes({ text: 's'.repeat(event.stored) })).toBeGreaterThan(MOST_AT_ALL_BYTES);
  expect(domainErrorOf(event)).toMatchObject({ code: 'invalid_state' });
});
