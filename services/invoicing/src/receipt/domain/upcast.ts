import { storedEvents } from '../../stored-events.ts';
import { receiptEventVersions, type ReceiptEvent } from './events.ts';

/** What was added is absent in the old shape, and today's says what that means. */
const asItWas = (data: object): object => data;

/** Stored JSON to today's events. A shape that changes gets its step here (`'ReceiptIssued.1': (data) => …`) and a spec with the old JSON. */
export const receiptEvents = storedEvents<ReceiptEvent>(receiptEventVersions, { 'ReceiptRequested.1': asItWas });
