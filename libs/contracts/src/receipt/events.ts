import { topics } from '../events/envelope.ts';
import { publicEvent } from '../events/public-event.ts';
import { ReceiptResource } from './resource.ts';

const of = <Type extends string>(type: Type) => publicEvent({ type, topic: topics.receipt, data: ReceiptResource });

/** The receipt as of each event. Updated: its registration or its voiding moved on; subscribers are not told of that. */
export const ReceiptCreatedV1 = of('invoicing.receipt-created.v1');
export const ReceiptUpdatedV1 = of('invoicing.receipt-updated.v1');
export const ReceiptVoidedV1 = of('invoicing.receipt-voided.v1');
