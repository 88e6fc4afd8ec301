import { storedEvents } from '@svc/kernel';
import { invoiceEventVersions, type InvoiceEvent } from './events.ts';

/** What was added is absent in the old shape, and today's says what that means. */
const asItWas = (data: object): object => data;

/** Stored JSON to today's events. A shape that changes gets its step here (`'InvoiceNumbered.1': (data) => …`) and a spec with the old JSON. */
export const invoiceEvents = storedEvents<InvoiceEvent>(invoiceEventVersions, {
  'InvoiceSubmissionRequested.1': (data: object) => ({ ...data, earlier_release: true }),
  'InvoiceNumbered.1': asItWas,
});
