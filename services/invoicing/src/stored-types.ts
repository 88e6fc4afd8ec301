import { customerEventVersions } from './customer/domain/events.ts';
import { documentTypes } from './document-types.ts';
import { issuerEventVersions } from './issuer/domain/events.ts';
import { productEventVersions } from './product/domain/events.ts';
import { SKU_CLAIMED } from './product/skus.ts';
import { NUMBER_REFUSED, NUMBER_TAKEN, NUMBERS_RAISED } from './series/domain/numbering.ts';
import { PATTERN_CLAIMED } from './series/patterns.ts';

/** Every type of event that this service stores, by category, with the version that is written today. */
export const storedTypes: Record<string, Record<string, number>> = {
  customer: customerEventVersions,
  issuer: issuerEventVersions,
  product: productEventVersions,
  sku: { [SKU_CLAIMED.type]: SKU_CLAIMED.v },
  ...Object.fromEntries(Object.entries(documentTypes).map(([category, { documents }]) => [category, documents.definition.events.versions])),
  series: { [NUMBER_TAKEN.type]: NUMBER_TAKEN.v, [NUMBER_REFUSED.type]: NUMBER_REFUSED.v, [NUMBERS_RAISED.type]: NUMBERS_RAISED.v },
  pattern: { [PATTERN_CLAIMED.type]: PATTERN_CLAIMED.v },
};
