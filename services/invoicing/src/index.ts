export { InvoicingModule, type InvoicingAdapters } from './invoicing.module.ts';
