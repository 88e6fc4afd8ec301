import { storedEvents } from '@svc/kernel';
import { receiptEventVersions, type ReceiptEvent } from './events.ts';

/** Stored JSON to today's events. A shape that changes gets its step here (`'ReceiptIssued.1': (data) => …`) and a spec with the old JSON. */
export const receiptEvents = storedEvents<ReceiptEvent>(receiptEventVersions, {
  'ReceiptRequested.1': (data: object) => ({ ...data, earlier_release: true }),
});
