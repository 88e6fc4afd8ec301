export { InvoicingModule } from './invoicing.module.ts';
