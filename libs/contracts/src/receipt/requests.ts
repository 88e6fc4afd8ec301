import { ReceiptResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { ItemInput } from '../document/line.ts';
import { type DocumentSort, documentSorts, ORDER, SEARCH } from '../document/queries.ts';
import { LATE_REASON, VOID_REASON } from '../document/submission.ts';
import { type FiscalStatus, fiscalStatuses, type PaymentMethod, paymentMethods } from '../document/vocabulary.ts';
import { CREATED_FROM, CREATED_TO, PageQuery } from '../http/page.ts';
import {
  About,
  eitherOf,
  IsCurrency,
  IsDay,
  IsFlag,
  IsLines,
  OwnMetadata,
  IsMoment,
  IsMoney,
  IsPrefixedId,
  IsReason,
  IsText,
  type MetadataInput,
  type MoneyInput,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SeveralCurrencies,
  SeveralOf,
  SeveralTexts,
  SeveralWholeTexts,
  Together,
} from '../schema/decorators/index.ts';
import { type ReceiptStatus, receiptStatuses, receiptTypes } from './vocabulary.ts';

export class VoidReceipt {
  @About(VOID_REASON.receipt) @IsReason() reason: string;
}

export class ReceiptPaymentInput {
  @About('Method of payment.') @OneOf(paymentMethods) method: PaymentMethod;
  @About('Amount paid in this way.') @IsMoney() amount: MoneyInput;
}

@Together(eitherOf('payment_method', 'payments'))
@Writes(() => ReceiptResource)
export class CreateReceipt {
  @About('Lines, at least one.') @NestedList(() => ItemInput, { min: 1, max: 500 }) items: ItemInput[];
  @About('How it was paid. Either this or `payments`.') @Optional() @OneOf(paymentMethods) payment_method?: PaymentMethod;
  @About('How it was paid, where in several ways; they sum to the total. Either this or `payment_method`.')
  @Optional()
  @NestedList(() => ReceiptPaymentInput, { min: 1, max: 20 })
  payments?: ReceiptPaymentInput[];
  @About('Customer, if it is known.') @Optional() @Nullable() @IsPrefixedId('cust') customer_id?: string | null;
  @About('ISO 4217 code; the issuer’s when left out.') @Optional() @IsCurrency() currency?: string;
  @About('Whether `unit_price` includes tax; true when left out.') @Optional() @IsFlag() prices_include_tax?: boolean;
  @About('Code of the business unit; the issuer’s first when left out.') @Optional() @Nullable() @IsText(40) unit?: string | null;
  @About('Code of the till; the unit’s first when left out.') @Optional() @Nullable() @IsText(40) device?: string | null;
  @About('Code of the operator; the issuer’s first when left out.') @Optional() @Nullable() @IsText(40) operator?: string | null;
  @About('Free text on the document.') @Optional() @Nullable() @IsLines() notes?: string | null;
  @About(LATE_REASON) @Optional() @IsText(500) late_reason?: string;
  @OwnMetadata() metadata?: MetadataInput;
}

/** With those that invoices have, which were asked for before receipts had types of their own. */
const asked = [...receiptTypes, 'standard', 'credit_note'] as const;

export class ReceiptsQuery extends PageQuery {
  @About('Only receipts in one of these statuses.') @Optional() @SeveralOf(receiptStatuses) status?: ReceiptStatus[];
  @About('Only receipts of one of these types; `standard` is the same as `receipt`.')
  @Optional()
  @SeveralOf(asked)
  type?: (typeof asked)[number][];
  @About('Only receipts of one of these customers.') @Optional() @SeveralTexts() customer_id?: string[];
  @About('Only the receipts with these numbers. A number with commas is found as well.') @Optional() @SeveralWholeTexts() number?: string[];
  @About('Only receipts in one of these currencies.') @Optional() @SeveralCurrencies() currency?: string[];
  @About('Only receipts of one of these series.') @Optional() @SeveralTexts() series?: string[];
  @About('Only receipts whose `fiscal.status` is one of these.') @Optional() @SeveralOf(fiscalStatuses) fiscal_status?: FiscalStatus[];
  @About('Only receipts that correct one of these.') @Optional() @SeveralTexts() corrects?: string[];
  @About(CREATED_FROM) @Optional() @IsMoment() created_from?: string;
  @About(CREATED_TO) @Optional() @IsMoment() created_to?: string;
  @About('Issued on or after this day.') @Optional() @IsDay() issue_from?: string;
  @About('Issued on or before this day.') @Optional() @IsDay() issue_to?: string;
  @About('Not registered, and to be by this moment at the latest, by `fiscal.deadline_at`; a day: by its end in the issuer’s zone.')
  @Optional()
  @IsMoment()
  fiscal_deadline_to?: string;
  @About(SEARCH) @Optional() @IsText() q?: string;
  @About(ORDER) @Optional() @OneOf(documentSorts) sort?: DocumentSort;
}
