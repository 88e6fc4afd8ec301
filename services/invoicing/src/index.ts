export { InvoicingConfig } from './config.ts';
export { InvoicingModule, type InvoicingAdapters } from './invoicing.module.ts';
