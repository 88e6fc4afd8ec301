import { InvoicesController } from './invoice/http.ts';
import { invoicePublisher, invoices, invoicesProjection } from './invoice/invoices.ts';
import { invoiceProcess } from './invoice/process.ts';
import { ReceiptsController } from './receipt/http.ts';
import { receiptProcess } from './receipt/process.ts';
import { receiptPublisher, receipts, receiptsProjection } from './receipt/receipts.ts';

/** Every document of this release, by the `kind` of its public events: what runs, serves and publishes it is entered here and nowhere else. */
export const documentTypes = {
  invoice: {
    documents: invoices,
    controller: InvoicesController,
    projection: invoicesProjection,
    publisher: invoicePublisher,
    process: invoiceProcess,
  },
  receipt: {
    documents: receipts,
    controller: ReceiptsController,
    projection: receiptsProjection,
    publisher: receiptPublisher,
    process: receiptProcess,
  },
} as const;
