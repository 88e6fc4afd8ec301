import { topics } from '@svc/contracts/events/envelope';
import { ReceiptCreatedV1, ReceiptUpdatedV1, ReceiptVoidedV1 } from '@svc/contracts/receipt/events';
import { documentPublisher } from '../document/publish.ts';
import { receipts } from './receipts.ts';

export const receiptPublisher = documentPublisher(receipts.definition, {
  topic: topics.receipt,
  updated: ReceiptUpdatedV1.type,
  types: { ReceiptIssued: ReceiptCreatedV1.type, ReceiptVoided: ReceiptVoidedV1.type },
  hidden: ['ReceiptRequested', 'ReceiptRefused'],
  registers: ['ReceiptIssued', 'ReceiptResubmitted'],
});
