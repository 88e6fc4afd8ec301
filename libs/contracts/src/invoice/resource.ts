import { Fiscal, InvoiceVoid } from '../document/fiscal.ts';
import { Adjustment, Item } from '../document/line.ts';
import { FrozenCustomer, FrozenIssuer } from '../document/parties.ts';
import { TaxBreakdown } from '../document/totals.ts';
import {
  type CorrectionCode,
  correctionCodes,
  type DocumentType,
  documentTypes,
  type PaymentMethod,
  paymentMethods,
  type Rounding,
  roundings,
} from '../document/vocabulary.ts';
import { ResourceHead } from '../http/head.ts';
import {
  About,
  IsAnyText,
  IsCurrency,
  IsDay,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Personal,
  SomeOf,
} from '../schema/decorators/index.ts';
import { Live } from '../schema/decorators/metadata.ts';
import {
  type InvoiceAction,
  invoiceActions,
  type InvoiceStatus,
  invoiceStatuses,
  type PaymentStatus,
  paymentStatuses,
} from './vocabulary.ts';
import { MOST_WARNINGS, Warning } from './warnings.ts';

/** By action: why it is refused now. */
export class UnavailableInvoiceActions {
  @About('Why `update` is refused.') @Optional() @IsAnyText(200) update?: string;
  @About('Why `submit` is refused.') @Optional() @IsAnyText(200) submit?: string;
  @About('Why `void` is refused.') @Optional() @IsAnyText(200) void?: string;
  @About('Why `resolve` is refused.') @Optional() @IsAnyText(200) resolve?: string;
  @About('Why `record_payment` is refused.') @Optional() @IsAnyText(200) record_payment?: string;
}

export class InvoiceResource extends ResourceHead {
  @About('Identifier, `inv_…`.') @IsPrefixedId('inv') id: string;
  @About('Kind of resource.') @OneOf(['invoice']) object: 'invoice';
  @About('`standard`, `credit_note` (lowers an invoice) or `corrective` (states a difference).') @OneOf(documentTypes) type: DocumentType;
  @About('Where the invoice is in its life.') @OneOf(invoiceStatuses) status: InvoiceStatus;
  @About('What can be done with it now. Metadata can always be changed.')
  @SomeOf(invoiceActions, { max: invoiceActions.length })
  available_actions: InvoiceAction[];
  @About('Why an action is refused that the status alone would allow, and what to do about it. Absent where there is none.')
  @Optional()
  @Nested(() => UnavailableInvoiceActions)
  unavailable_actions?: UnavailableInvoiceActions;
  @About('Customer that the document is for.') @IsPrefixedId('cust') customer_id: string;
  @About('Of a draft, in answers alone: the name of its customer as it is now; null once that is erased. It is no part of the version.')
  @Personal()
  @Optional()
  @Live()
  @Nullable()
  @IsAnyText(255)
  customer_name?: string | null;
  @About('Of a draft, in answers alone: what is probably not meant, or is missing. They are no part of the version.')
  @Optional()
  @Live()
  @NestedList(() => Warning, { max: MOST_WARNINGS })
  warnings?: Warning[];
  @About('Copy of the customer, frozen when the invoice was numbered; null before.')
  @Nullable()
  @Nested(() => FrozenCustomer)
  customer: FrozenCustomer | null;
  @About('Copy of the issuer, frozen when the invoice was numbered; null before.')
  @Nullable()
  @Nested(() => FrozenIssuer)
  issuer: FrozenIssuer | null;
  @About('Lines of the document, in order.') @NestedList(() => Item, { max: 500 }) items: Item[];
  @About('Discounts, applied in order.') @NestedList(() => Adjustment, { max: 50 }) discounts: Adjustment[];
  @About('Charges, applied in order.') @NestedList(() => Adjustment, { max: 50 }) charges: Adjustment[];
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Whether `unit_price` includes tax.') @IsFlag() prices_include_tax: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are.') @OneOf(roundings) rounding: Rounding;
  @About('Code of the number series.') @IsAnyText(12) series: string;
  @About('Day of issue in the issuer’s time zone; null: the day of numbering.') @Nullable() @IsDay() issue_date: string | null;
  @About('Day on which payment is due.') @Nullable() @IsDay() due_date: string | null;
  @About('Moment of numbering, UTC; null before.') @Nullable() @IsTimestamp() issued_at: string | null;
  @About('Number in its series; null until it is submitted.') @Nullable() @IsAnyText(255) number: string | null;
  @About('Invoice that this credit note or corrective refers to.') @Nullable() @IsPrefixedId('inv') corrects: string | null;
  @About('Free text on the document.') @Nullable() @IsAnyText(2000) notes: string | null;
  @About('Sum of the lines without tax, after discounts and charges.') @IsExact() subtotal: number;
  @About('Discounts of the whole document, without those of lines.') @IsExact() discount_total: number;
  @About('Charges of the whole document, without those of lines.') @IsExact() charge_total: number;
  @About('All taxes that are not retained, surcharges included.') @IsExact() tax_total: number;
  @About('Taxes that the customer withholds.') @IsExact() retained_total: number;
  @About('Total with tax, before what is retained.') @IsExact() total: number;
  @About('Sum of its payments.') @IsExact() amount_paid: number;
  @About('Sum of its registered credit notes, less the taxes that they retain.') @IsExact() amount_credited: number;
  @About(
    'Total less retained taxes, payments and credit notes; below 0 is owed back. 0 for a credit note, and while nothing is owed: in draft, failed and voided.',
  )
  @IsExact()
  amount_due: number;
  @About('Whether it is paid; null in draft, failed and voided, where nothing is owed.')
  @Nullable()
  @OneOf(paymentStatuses)
  payment_status: PaymentStatus | null;
  @About('One row per tax group.') @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  @About('Code that the tax authority gave to the document; the same as `fiscal.code`.') @Nullable() @IsAnyText(255) fiscal_code:
    string | null;
  @About('Registration with the tax authority; null until it is asked for.') @Nullable() @Nested(() => Fiscal) fiscal: Fiscal | null;
  @About('Day of the supply, where it is not the day of issue.') @Optional() @Nullable() @IsDay() supply_date?: string | null;
  @About('How it is to be paid; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(paymentMethods)
  payment_method?: PaymentMethod | null;
  @About('Code of the business unit that issues it; absent where it was not given.') @Optional() @Nullable() @IsAnyText(40) unit?:
    string | null;
  @About('Code of the till that issues it; absent where it was not given.') @Optional() @Nullable() @IsAnyText(40) device?: string | null;
  @About('Code of who issues it; absent where it was not given.') @Optional() @Nullable() @IsAnyText(40) operator?: string | null;
  @About('Which of the authority’s kinds of correction it is; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(correctionCodes)
  correction_code?: CorrectionCode | null;
  @About('Of a corrective by which an invoice is voided: that invoice. Nothing is due of it, and it cannot be changed.')
  @Optional()
  @Nullable()
  @IsPrefixedId('inv')
  voids?: string | null;
  @About('The issuer’s currency per unit of `currency`, where it was given.') @Optional() @Nullable() @IsExact() exchange_rate?:
    number | null;
  @About('That it was asked to be voided, and what became of it; null when it was not.')
  @Nullable()
  @Nested(() => InvoiceVoid)
  void: InvoiceVoid | null;
}
