import { submissionEvents } from '@svc/fiscal-submission/submission/domain/events';
import { storedTypes as ofSubmission } from '@svc/fiscal-submission/submission/stored-types';
import { customerEvents } from '@svc/invoicing/customer/customers';
import { documentTypes } from '@svc/invoicing/document-types';
import { issuerEvents } from '@svc/invoicing/issuer/issuers';
import { productEvents } from '@svc/invoicing/product/products';
import { storedTypes as ofInvoicing } from '@svc/invoicing/registrations';
import { millisOf, storedEvents, type DomainEvent, type Recorded } from '@svc/kernel';
import type { GoldenStream } from '@svc/contracts/testing/golden';

type Decode = (recorded: Recorded) => DomainEvent;

/** How today's code reads the events of each category. */
const codecs: Record<string, Decode> = {
  submission: submissionEvents.decode,
  customer: customerEvents.decode,
  issuer: issuerEvents.decode,
  product: productEvents.decode,
  ...Object.fromEntries(
    Object.entries(documentTypes).map(([category, { documents }]) => [category, documents.definition.events.decode as Decode]),
  ),
  // These have one version each, and are read without conversion.
  ...Object.fromEntries(
    ['series', 'pattern', 'sku', 'chain'].map((category) => [
      category,
      storedEvents({ ...ofInvoicing, ...ofSubmission }[category] ?? {}).decode,
    ]),
  ),
};

/** Data of an event as the code works with it, converted to today's version. Throws `UnknownEvent` where nothing converts it. */
export function decodeStored(category: string, stream: string, event: GoldenStream['events'][number], n: number): object {
  const decode = codecs[category];
  if (!decode) throw new Error(`no code reads the category ${category}: add its codec to decode-stored.ts`);
  const bytes = JSON.stringify(event.data).length;
  return decode({ ...event, stream, revision: BigInt(n), recordedAt: millisOf(event.recorded_at), bytes, position: BigInt(n) }).data;
}
