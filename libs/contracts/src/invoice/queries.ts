import { type DocumentSort, documentSorts } from '../document/queries.ts';
import { type DocumentType, documentTypes } from '../document/vocabulary.ts';
import { PageQuery } from '../http/page.ts';
import { About, IsCurrency, IsDay, IsMoment, IsText, OneOf, Optional } from '../schema/decorators/index.ts';
import { type InvoiceStatus, invoiceStatuses, type PaymentStatus, paymentStatuses } from './vocabulary.ts';

export class InvoicesQuery extends PageQuery {
  @About('Only invoices in this status.') @Optional() @OneOf(invoiceStatuses) status?: InvoiceStatus;
  @About('Only invoices of this type.') @Optional() @OneOf(documentTypes) type?: DocumentType;
  @About('Only invoices of this customer.') @Optional() @IsText() customer_id?: string;
  @About('Only the invoice with this number.') @Optional() @IsText() number?: string;
  @About('Only invoices in this currency.') @Optional() @IsCurrency() currency?: string;
  @About('Only invoices of this series.') @Optional() @IsText() series?: string;
  @About('Only invoices with this payment status.') @Optional() @OneOf(paymentStatuses) payment_status?: PaymentStatus;
  @About('Only invoices that correct this one.') @Optional() @IsText() corrects?: string;
  @About('Created on or after this day (in the issuer’s time zone) or moment (UTC).') @Optional() @IsMoment() created_from?: string;
  @About('Created on or before this day (in the issuer’s time zone) or moment (UTC).') @Optional() @IsMoment() created_to?: string;
  @About('Issued on or after this day.') @Optional() @IsDay() issue_from?: string;
  @About('Issued on or before this day.') @Optional() @IsDay() issue_to?: string;
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(documentSorts) sort?: DocumentSort;
}
