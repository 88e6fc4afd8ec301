import { jsonBytes, type Decider } from '@svc/kernel';
import { MOST_AT_ALL_BYTES, bounded, type Shown } from './bounded.ts';

const KiB = 1_024;

interface Voiding {
  /** Characters of what the event stores. */
  stored: number;
  /** Characters of the document's own content, which nobody can change any more. */
  content: number;
  metadata: number;
}

/** Why a document that only metadata of which can be changed cannot be voided; undefined where it can. */
function domainErrorOf({ stored, content, metadata }: Voiding) {
  const shown: Shown & { content: string } = {
    issuer: null,
    customer: null,
    metadata: { a: 'm'.repeat(metadata) },
    content: 'c'.repeat(content),
  };
  type Event = { type: 'voided'; data: { text: string } };
  const decider: Decider<null, { type: 'void' }, Event> = {
    initialState: null,
    decide: () => [{ type: 'voided', data: { text: 's'.repeat(stored) } }],
    evolve: () => null,
  };
  const many = Array.from({ length: 500 }, () => ({ taxes: [], discounts: [], charges: [] }) as never);
  const sized = {
    content: { items: many, discounts: [], charges: [] },
    resource: () => shown,
    parties: {},
    again: null,
    written: null,
    changeable: 'metadata' as const,
    ends: true,
  };
  try {
    bounded(decider, { sizedAfter: () => sized, shown: () => shown }).decide({ type: 'void' }, null);
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

test('does not ask for less metadata where the content, or what the event stores, is too large without it', () => {
  expect(domainErrorOf({ stored: 0, content: MOST_AT_ALL_BYTES + KiB, metadata: 2 * KiB })).toMatchObject({ code: 'invalid_state' });
  const event = { stored: MOST_AT_ALL_BYTES + KiB, content: MOST_AT_ALL_BYTES - 3 * KiB, metadata: 5 * KiB };
  expect(jsonBytes({ text: 's'.repeat(event.stored) })).toBeGreaterThan(MOST_AT_ALL_BYTES);
  expect(domainErrorOf(event)).toMatchObject({ code: 'invalid_state' });
});
