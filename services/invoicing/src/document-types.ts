import { invoiceEventVersions } from './invoice/domain/events.ts';
import { InvoicesController } from './invoice/http.ts';
import { invoiceProcess, invoices } from './invoice/invoices.ts';
import { invoicesProjection } from './invoice/list.ts';
import { invoicePublisher } from './invoice/publish.ts';
import { receiptEventVersions } from './receipt/domain/events.ts';
import { ReceiptsController } from './receipt/http.ts';
import { receiptProcess, receipts } from './receipt/receipts.ts';
import { receiptsProjection } from './receipt/list.ts';
import { receiptPublisher } from './receipt/publish.ts';

/** Every document of this release, by the `kind` of its public events: what runs, serves and publishes it is entered here and nowhere else. */
export const documentTypes = {
  invoice: {
    documents: invoices,
    controller: InvoicesController,
    projection: invoicesProjection,
    publisher: invoicePublisher,
    process: invoiceProcess,
    eventVersions: invoiceEventVersions,
  },
  receipt: {
    documents: receipts,
    controller: ReceiptsController,
    projection: receiptsProjection,
    publisher: receiptPublisher,
    process: receiptProcess,
    eventVersions: receiptEventVersions,
  },
} as const;
