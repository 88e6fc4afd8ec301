import { InvoiceResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { AdjustmentInput, ItemInput } from '../document/line.ts';
import { type DocumentSort, documentSorts, ORDER, SEARCH } from '../document/queries.ts';
import { VOID_REASON } from '../document/submission.ts';
import {
  type CorrectionCode,
  correctionCodes,
  type DocumentType,
  documentTypes,
  type FiscalStatus,
  fiscalStatuses,
  type PaymentMethod,
  paymentMethods,
  type Rounding,
  roundings,
} from '../document/vocabulary.ts';
import { batchOf } from '../http/batch.ts';
import { CREATED_FROM, CREATED_TO, PageQuery } from '../http/page.ts';
import {
  About,
  type Condition,
  IsCurrency,
  IsDay,
  IsDecimal,
  IsFlag,
  IsLines,
  OwnMetadata,
  MetadataChange,
  IsMoment,
  IsPrefixedId,
  IsReason,
  IsSeries,
  IsText,
  type MetadataInput,
  type MetadataPatch,
  type MoneyInput,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SeveralCurrencies,
  SeveralOf,
  SeveralTexts,
  SeveralWholeTexts,
  TextList,
  Together,
} from '../schema/decorators/index.ts';
import { type InvoiceStatus, invoiceStatuses, type PaymentStatus, paymentStatuses } from './vocabulary.ts';

export class VoidDocument {
  @About(VOID_REASON.invoice) @Optional() @IsReason() reason?: string;
}

export class SubmitInvoices {
  @About('Invoices to submit.') @TextList(64, { min: 1, max: 100 }) ids: string[];
}

const correcting: readonly unknown[] = ['credit_note', 'corrective'] satisfies DocumentType[];

/** A credit note or corrective names what it corrects; a standard invoice corrects nothing. */
const correctsByType: Condition = {
  rule: '`corrects` is given with the types `credit_note` and `corrective`, and with no other.',
  problem: ({ type, corrects }) => {
    const isGiven = corrects !== undefined && corrects !== null;
    if (correcting.includes(type) === isGiven) return undefined;
    return ['corrects', isGiven ? 'Send type credit_note or corrective with it, or leave it out.' : 'Name the invoice that it corrects.'];
  },
};

/** How and by whom an invoice is issued. Null is the default. */
class IssuingTerms {
  @About('How it is to be paid, where the authority wants to know; its refusal of a submission says which it takes.')
  @Optional()
  @Nullable()
  @OneOf(paymentMethods)
  payment_method?: PaymentMethod | null;
  @About('Code of the business unit that issues it; null: the issuer’s first.') @Optional() @Nullable() @IsText(40) unit?: string | null;
  @About('Code of the till that issues it, where the authority numbers by tills; null: the unit’s first.')
  @Optional()
  @Nullable()
  @IsText(40)
  device?: string | null;
  @About('Code of who issues it; null: the issuer’s first operator.') @Optional() @Nullable() @IsText(40) operator?: string | null;
  @About('Of a credit note or corrective: which of the authority’s kinds of correction it is; null: the usual one.')
  @Optional()
  @Nullable()
  @OneOf(correctionCodes)
  correction_code?: CorrectionCode | null;
}

/** What is written of an invoice, besides the customer. */
class WrittenInvoice extends IssuingTerms {
  @About(
    '`standard`, which it is when left out; `credit_note`: lowers an invoice by positive amounts; `corrective`: states a difference, by signed quantities.',
  )
  @Optional()
  @OneOf(documentTypes)
  type?: DocumentType;
  @About('Lines, at least one.') @NestedList(() => ItemInput, { min: 1, max: 500 }) items: ItemInput[];
  @About('Discounts of the whole document.') @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) discounts?:
    AdjustmentInput[] | null;
  @About('Charges on the whole document.') @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 50 }) charges?:
    AdjustmentInput[] | null;
  @About('ISO 4217 code; the issuer’s when left out.') @Optional() @IsCurrency() currency?: string;
  @About('Whether `unit_price` includes tax; the issuer’s default when left out.') @Optional() @IsFlag() prices_include_tax?: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are. The issuer’s default when left out.')
  @Optional()
  @OneOf(roundings)
  rounding?: Rounding;
  @About('Code of the number series; the issuer’s for the type when left out.') @Optional() @IsSeries() series?: string;
  @About('Day of issue, not in the future. Null: the day of numbering.') @Optional() @Nullable() @IsDay() issue_date?: string | null;
  @About('Day on which payment is due, not before the day of issue.') @Optional() @Nullable() @IsDay() due_date?: string | null;
  @About('Day of the supply, where it is not the day of issue.') @Optional() @Nullable() @IsDay() supply_date?: string | null;
  @About('The issuer’s currency per unit of `currency`, at most 8 decimals. Fixed with the number.')
  @Optional()
  @Nullable()
  @IsDecimal({ decimals: 8, sign: 'positive' })
  exchange_rate?: MoneyInput | null;
  @About(
    'Invoice that a credit note or corrective corrects: submitted, standard or corrective, of the same customer and currency. Credit notes and correctives together never take more than its total; the submission decides. The one that takes the last of a tax group, before rounding, has what the others leave of its base and tax, and no other takes more of a group than is left by its rounding, so that an invoice credited line by line comes to 0: the totals of a draft may change by this rounding when it is submitted.',
  )
  @Optional()
  @Nullable()
  @IsPrefixedId('inv')
  corrects?: string | null;
  @About('Free text on the document.') @Optional() @Nullable() @IsLines() notes?: string | null;
  @OwnMetadata() metadata?: MetadataInput;
}

@Together(correctsByType)
@Writes(() => InvoiceResource)
export class CreateInvoice extends WrittenInvoice {
  @About('Customer that the invoice is for. It must exist.') @IsPrefixedId('cust') customer_id: string;
}

@Together(correctsByType)
@Writes(() => InvoiceResource)
export class PreviewInvoice extends WrittenInvoice {
  @About('Customer that the invoice is for. It must exist where it is named.') @Optional() @IsPrefixedId('cust') customer_id?: string;
}

/** A JSON merge patch (RFC 7396); lists are replaced as a whole. `type` and `corrects` cannot be changed. */
@Writes(() => InvoiceResource, ['type', 'corrects'])
export class UpdateInvoice extends IssuingTerms {
  @About('Customer that the invoice is for. It must exist.') @Optional() @IsPrefixedId('cust') customer_id?: string;
  @About('Lines; the list is replaced whole.') @Optional() @NestedList(() => ItemInput, { min: 1, max: 500 }) items?: ItemInput[];
  @About('Discounts of the whole document; the list is replaced whole.')
  @Optional()
  @Nullable()
  @NestedList(() => AdjustmentInput, { max: 50 })
  discounts?: AdjustmentInput[] | null;
  @About('Charges on the whole document; the list is replaced whole.')
  @Optional()
  @Nullable()
  @NestedList(() => AdjustmentInput, { max: 50 })
  charges?: AdjustmentInput[] | null;
  @About('ISO 4217 code.') @Optional() @IsCurrency() currency?: string;
  @About('Whether `unit_price` includes tax.') @Optional() @IsFlag() prices_include_tax?: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are.') @Optional() @OneOf(roundings) rounding?: Rounding;
  @About('Code of the number series.') @Optional() @IsSeries() series?: string;
  @About('Day of issue, not in the future. Null: the day of numbering.') @Optional() @Nullable() @IsDay() issue_date?: string | null;
  @About('Day on which payment is due, not before the day of issue.') @Optional() @Nullable() @IsDay() due_date?: string | null;
  @About('Day of the supply, where it is not the day of issue.') @Optional() @Nullable() @IsDay() supply_date?: string | null;
  @About('The issuer’s currency per unit of `currency`, at most 8 decimals. Fixed with the number.')
  @Optional()
  @Nullable()
  @IsDecimal({ decimals: 8, sign: 'positive' })
  exchange_rate?: MoneyInput | null;
  @About('Free text on the document.') @Optional() @Nullable() @IsLines() notes?: string | null;
  @MetadataChange() metadata?: MetadataPatch;
}

export const CreateInvoices = batchOf(CreateInvoice);
export type CreateInvoices = InstanceType<typeof CreateInvoices>;

export class InvoicesQuery extends PageQuery {
  @About('Only invoices in one of these statuses.') @Optional() @SeveralOf(invoiceStatuses) status?: InvoiceStatus[];
  @About('Only invoices of one of these types.') @Optional() @SeveralOf(documentTypes) type?: DocumentType[];
  @About('Only invoices of one of these customers.') @Optional() @SeveralTexts() customer_id?: string[];
  @About('Only the invoices with these numbers. A number with commas is found as well.') @Optional() @SeveralWholeTexts() number?: string[];
  @About('Only invoices in one of these currencies.') @Optional() @SeveralCurrencies() currency?: string[];
  @About('Only invoices of one of these series.') @Optional() @SeveralTexts() series?: string[];
  @About('Only invoices that show one of these payment statuses; drafts, failed and voided ones show none.')
  @Optional()
  @SeveralOf(paymentStatuses)
  payment_status?: PaymentStatus[];
  @About('Only invoices whose `fiscal.status` is one of these.') @Optional() @SeveralOf(fiscalStatuses) fiscal_status?: FiscalStatus[];
  @About('Only invoices that correct one of these.') @Optional() @SeveralTexts() corrects?: string[];
  @About(CREATED_FROM) @Optional() @IsMoment() created_from?: string;
  @About(CREATED_TO) @Optional() @IsMoment() created_to?: string;
  @About('Issued on or after this day.') @Optional() @IsDay() issue_from?: string;
  @About('Issued on or before this day.') @Optional() @IsDay() issue_to?: string;
  @About('Due on or after this day, by `due_date`.') @Optional() @IsDay() due_from?: string;
  @About('Due on or before this day, by `due_date`.') @Optional() @IsDay() due_to?: string;
  @About('Not registered, and to be by this moment at the latest, by `fiscal.deadline_at`; a day: by its end in the issuer’s zone.')
  @Optional()
  @IsMoment()
  fiscal_deadline_to?: string;
  @About(SEARCH) @Optional() @IsText() q?: string;
  @About(ORDER) @Optional() @OneOf(documentSorts) sort?: DocumentSort;
}
