import type { CustomerResource } from '@svc/contracts/customer/resource';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { EventResource } from '@svc/contracts/webhook/event';
import type { WebhookEventType } from '@svc/contracts/webhook/vocabulary';

type DataOf<Type extends WebhookEventType> = Type extends `invoice.${string}`
  ? InvoiceResource
  : Type extends `receipt.${string}`
    ? ReceiptResource
    : CustomerResource;

type EventOf<Type extends WebhookEventType> = Omit<EventResource, 'type' | 'data'> & { type: Type; data: DataOf<Type> };

/**
 * An event, by its `type`. Drop repeats by `id`; of one resource the highest `sequence` is the newest state. Later releases add types and fields: a `switch` over
 * `type` needs a default.
 */
export type WebhookEvent = { [Type in WebhookEventType]: EventOf<Type> }[WebhookEventType];
