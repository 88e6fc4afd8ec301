import { IsCurrency, IsDay, IsFlag, IsMoment, IsText, OneOf, Optional } from '../decorators/index.ts';
import { documentTypes, invoiceStatuses, paymentStatuses, receiptStatuses } from '../vocabulary.ts';
import type { DocumentType, InvoiceStatus, PaymentStatus, ReceiptStatus } from '../vocabulary.ts';
import { PageQuery, sortable } from './page.ts';

const sorts = sortable('created_at', 'issue_date', 'number', 'total');
export type DocumentSort = `${'' | '-'}${'created_at' | 'issue_date' | 'number' | 'total'}`;

export class InvoicesQuery extends PageQuery {
  @Optional() @OneOf(invoiceStatuses) status?: InvoiceStatus;
  @Optional() @OneOf(documentTypes) type?: DocumentType;
  @Optional() @IsText() customer_id?: string;
  @Optional() @IsText() number?: string;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsText() series?: string;
  @Optional() @OneOf(paymentStatuses) payment_status?: PaymentStatus;
  @Optional() @IsText() corrects?: string;
  @Optional() @IsMoment() created_from?: string;
  @Optional() @IsMoment() created_to?: string;
  @Optional() @IsDay() issue_from?: string;
  @Optional() @IsDay() issue_to?: string;
  @Optional() @OneOf(sorts) sort?: DocumentSort;
}

export class ReceiptsQuery extends PageQuery {
  @Optional() @OneOf(receiptStatuses) status?: ReceiptStatus;
  @Optional() @OneOf(documentTypes) type?: DocumentType;
  @Optional() @IsText() customer_id?: string;
  @Optional() @IsText() number?: string;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsText() series?: string;
  @Optional() @IsText() corrects?: string;
  @Optional() @IsMoment() created_from?: string;
  @Optional() @IsMoment() created_to?: string;
  @Optional() @IsDay() issue_from?: string;
  @Optional() @IsDay() issue_to?: string;
  @Optional() @OneOf(sorts) sort?: DocumentSort;
}

export class PreviewQuery {
  /** Adds `explanation`: how each total came about. */
  @Optional() @IsFlag() explain?: boolean;
}
