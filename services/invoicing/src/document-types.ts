import { applyInvoiceOutcome } from './invoice/corrections.ts';
import { InvoicesController } from './invoice/http.ts';
import { invoicePublisher, invoices, invoicesProjection } from './invoice/invoices.ts';
import { invoiceProcess } from './invoice/process.ts';
import { ReceiptsController } from './receipt/http.ts';
import { receiptProcess } from './receipt/process.ts';
import { receiptPublisher, receipts, receiptsProjection } from './receipt/receipts.ts';
import { applyReceiptOutcome } from './receipt/void.ts';

/** Every document of this release, by the `kind` of its public events: what runs, serves and publishes it is entered here and nowhere else. */
export const documentTypes = {
  invoice: {
    documents: invoices,
    applyOutcome: applyInvoiceOutcome,
    controller: InvoicesController,
    projection: invoicesProjection,
    publisher: invoicePublisher,
    process: invoiceProcess,
  },
  receipt: {
    documents: receipts,
    applyOutcome: applyReceiptOutcome,
    controller: ReceiptsController,
    projection: receiptsProjection,
    publisher: receiptPublisher,
    process: receiptProcess,
  },
} as const;
