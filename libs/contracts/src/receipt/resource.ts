import { Fiscal, ReceiptVoid } from '../document/fiscal.ts';
import { Adjustment, Item } from '../document/line.ts';
import { FrozenCustomer, FrozenIssuer } from '../document/parties.ts';
import { TaxBreakdown } from '../document/totals.ts';
import { type PaymentMethod, paymentMethods, type Rounding, roundings } from '../document/vocabulary.ts';
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
  SomeOf,
} from '../schema/decorators/index.ts';
import { type ReceiptAction, receiptActions, type ReceiptStatus, receiptStatuses, type ReceiptType, receiptTypes } from './vocabulary.ts';

export class ReceiptPayment {
  @About('Method of payment.') @OneOf(paymentMethods) method: PaymentMethod;
  @About('Amount paid in this way.') @IsExact() amount: number;
}

/** By action: why it is refused now. */
export class UnavailableReceiptActions {
  @About('Why `resubmit` is refused.') @Optional() @IsAnyText(200) resubmit?: string;
  @About('Why `void` is refused.') @Optional() @IsAnyText(200) void?: string;
  @About('Why `resolve` is refused.') @Optional() @IsAnyText(200) resolve?: string;
}

/** A receipt is numbered at creation. Only `fiscal` shows whether it is registered. */
export class ReceiptResource extends ResourceHead {
  @About('Identifier, `rcp_…`.') @IsPrefixedId('rcp') id: string;
  @About('Kind of resource.') @OneOf(['receipt']) object: 'receipt';
  @About('`corrective`: it takes back the receipt that it corrects, which is voided by it.')
  @Optional()
  @OneOf(receiptTypes)
  type?: ReceiptType;
  @About('Of a corrective: the receipt that it takes back.') @Optional() @Nullable() @IsPrefixedId('rcp') corrects?: string | null;
  @About('Where the receipt is in its life; its registration shows in `fiscal` alone.') @OneOf(receiptStatuses) status: ReceiptStatus;
  @About('What can be done with it now. Metadata can always be changed.')
  @SomeOf(receiptActions, { max: receiptActions.length })
  available_actions: ReceiptAction[];
  @About('Why an action is refused that the status alone would allow, and what to do about it. Absent where there is none.')
  @Optional()
  @Nested(() => UnavailableReceiptActions)
  unavailable_actions?: UnavailableReceiptActions;
  @About('Customer, where one was named.') @Nullable() @IsPrefixedId('cust') customer_id: string | null;
  @About('Copy of the customer, frozen at creation; null when none was named.')
  @Nullable()
  @Nested(() => FrozenCustomer)
  customer: FrozenCustomer | null;
  @About('Copy of the issuer, frozen at creation.') @Nullable() @Nested(() => FrozenIssuer) issuer: FrozenIssuer | null;
  @About('Lines of the document, in order.') @NestedList(() => Item, { max: 500 }) items: Item[];
  @About('Discounts, applied in order.') @Optional() @NestedList(() => Adjustment, { max: 50 }) discounts?: Adjustment[];
  @About('Charges, applied in order.') @Optional() @NestedList(() => Adjustment, { max: 50 }) charges?: Adjustment[];
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Whether `unit_price` includes tax.') @IsFlag() prices_include_tax: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are.') @OneOf(roundings) rounding: Rounding;
  @About('Code of the number series.') @IsAnyText(12) series: string;
  @About('Day of issue in the issuer’s time zone.') @IsDay() issue_date: string;
  @About('Moment of numbering, UTC.') @IsTimestamp() issued_at: string;
  @About('Number of the document in its series.') @IsAnyText(255) number: string;
  @About('How it was paid, where it was paid in one way.') @Nullable() @OneOf(paymentMethods) payment_method: PaymentMethod | null;
  @About('How it was paid; they sum to the total.') @NestedList(() => ReceiptPayment, { max: 20 }) payments: ReceiptPayment[];
  @About('Code of the business unit.') @Nullable() @IsAnyText(40) unit: string | null;
  @About('Code of the till.') @Nullable() @IsAnyText(40) device: string | null;
  @About('Code of the operator.') @Nullable() @IsAnyText(40) operator: string | null;
  @About('Free text on the document.') @Nullable() @IsAnyText(2000) notes: string | null;
  @About('Sum of the lines without tax, after discounts and charges.') @IsExact() subtotal: number;
  @About('Discounts of the whole document, without those of lines.') @IsExact() discount_total: number;
  @About('Charges of the whole document, without those of lines.') @IsExact() charge_total: number;
  @About('All taxes that are not retained, surcharges included.') @IsExact() tax_total: number;
  @About('Taxes that the customer withholds.') @IsExact() retained_total: number;
  @About('Total with tax, before what is retained.') @IsExact() total: number;
  @About('One row per tax group.') @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  @About('Code that the tax authority gave to the document; the same as `fiscal.code`.') @Nullable() @IsAnyText(255) fiscal_code:
    string | null;
  @About('Registration with the tax authority.') @Nullable() @Nested(() => Fiscal) fiscal: Fiscal | null;
  @About('That it was asked to be voided, and what became of it; null when it was not.')
  @Nullable()
  @Nested(() => ReceiptVoid)
  void: ReceiptVoid | null;
}
