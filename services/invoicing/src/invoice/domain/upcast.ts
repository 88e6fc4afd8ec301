import { storedEvents } from '../../stored-events.ts';
import { invoiceEventVersions, type InvoiceEvent } from './events.ts';

/** Stored JSON to today's events. A shape that changes gets its step here (`'InvoiceNumbered.1': (data) => …`) and a spec with the old JSON. */
export const invoiceEvents = storedEvents<InvoiceEvent>(invoiceEventVersions);
