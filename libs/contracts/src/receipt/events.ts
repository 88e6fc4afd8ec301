import { topics } from '../events/envelope.ts';
import { publicEvent } from '../events/public-event.ts';
import { ReceiptResource } from './resource.ts';

const of = <Type extends string>(type: Type) => publicEvent({ type, topic: topics.receipt, data: ReceiptResource });

/** The data of each event is the receipt after it. `updated`: its registration or voiding has changed; no webhook is sent for it. */
export const ReceiptCreatedV1 = of('invoicing.receipt-created.v1');
export const ReceiptUpdatedV1 = of('invoicing.receipt-updated.v1');
export const ReceiptVoidedV1 = of('invoicing.receipt-voided.v1');
