import type { ChainEvent } from '@svc/fiscal-submission/chain/chains';
import type { SubmissionEvent } from '@svc/fiscal-submission/submission/domain/events';
import type { CustomerEvent } from '@svc/invoicing/customer/domain/events';
import type { InvoiceEvent } from '@svc/invoicing/invoice/domain/events';
import type { IssuerEvent } from '@svc/invoicing/issuer/domain/events';
import type { ProductEvent } from '@svc/invoicing/product/domain/events';
import type { SKU_CLAIMED, SkuClaimed } from '@svc/invoicing/product/skus';
import type { ReceiptEvent } from '@svc/invoicing/receipt/domain/events';
import type {
  NumberRefused,
  NumbersRaised,
  NumberTaken,
  NUMBER_REFUSED,
  NUMBER_TAKEN,
  NUMBERS_RAISED,
} from '@svc/invoicing/numbering/domain/numbering';
import type { PATTERN_CLAIMED, PatternClaimed } from '@svc/invoicing/numbering/patterns';
import type { EventMetadata } from '@svc/kernel';

interface Of<Type extends { type: string }, Data> {
  type: Type['type'];
  data: Data;
}

/** The events that each service stores, by category. `stored-events.ts` turns these types into JSON Schema. */
export interface StoredEvents {
  invoicing: {
    customer: CustomerEvent;
    invoice: InvoiceEvent;
    issuer: IssuerEvent;
    product: ProductEvent;
    sku: Of<typeof SKU_CLAIMED, SkuClaimed>;
    receipt: ReceiptEvent;
    series: Of<typeof NUMBER_TAKEN, NumberTaken> | Of<typeof NUMBER_REFUSED, NumberRefused> | Of<typeof NUMBERS_RAISED, NumbersRaised>;
    pattern: Of<typeof PATTERN_CLAIMED, PatternClaimed>;
  };
  'fiscal-submission': { submission: SubmissionEvent; chain: ChainEvent };
}

/** Stored with each of them. */
export type StoredMetadata = EventMetadata;
