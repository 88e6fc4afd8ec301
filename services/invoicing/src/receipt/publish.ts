import { topics } from '@svc/contracts/events/envelope';
import { ReceiptCreatedV1, ReceiptUpdatedV1, ReceiptVoidedV1 } from '@svc/contracts/receipt/events';
import { documentPublisher } from '../document/publish.ts';
import { receipts } from './receipts.ts';

export const receiptPublisher = documentPublisher(receipts.definition, {
  topic: topics.receipt,
  types: {
    ReceiptIssued: ReceiptCreatedV1.type,
    ReceiptResubmitted: ReceiptUpdatedV1.type,
    ReceiptRegistered: ReceiptUpdatedV1.type,
    ReceiptRejected: ReceiptUpdatedV1.type,
    ReceiptDelayed: ReceiptUpdatedV1.type,
    ReceiptVoidRequested: ReceiptUpdatedV1.type,
    ReceiptVoided: ReceiptVoidedV1.type,
    ReceiptVoidRefused: ReceiptUpdatedV1.type,
  },
  registers: ['ReceiptIssued', 'ReceiptResubmitted'],
});
