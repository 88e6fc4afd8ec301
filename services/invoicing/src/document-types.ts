import { InvoicesController } from './invoice/http.ts';
import { invoicePublisher, invoices, invoicesProjection } from './invoice/invoices.ts';
import { invoiceProcess } from './invoice/process.ts';
import { ReceiptsController } from './receipt/http.ts';
import { receiptProcess } from './receipt/process.ts';
import { receiptPublisher, receipts, receiptsProjection } from './receipt/receipts.ts';
import type { DocumentKind } from '@svc/contracts/documents';
import type { DocumentStatus } from '@svc/contracts/document/no-doubt';
import type { DocumentRef, Reading } from './document/context.ts';

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

/** Returns what the resource of a document says of itself, for services in the same process. Throws not_found. */
export const documentStatus =
  (context: Reading['context']) =>
  ({ kind, id, ...identity }: DocumentRef & { kind: DocumentKind }): Promise<DocumentStatus> =>
    documentTypes[kind].documents.read({ context, identity }, id);
