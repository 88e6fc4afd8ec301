import {
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
} from '../decorators/index.ts';
import { paymentMethods, receiptActions, receiptStatuses, roundings } from '../vocabulary.ts';
import type { PaymentMethod, ReceiptAction, ReceiptStatus, Rounding } from '../vocabulary.ts';
import { Fiscal, Void } from './fiscal.ts';
import { ResourceHead } from './head.ts';
import { Adjustment, Item } from './line.ts';
import { FrozenCustomer, FrozenIssuer } from './parties.ts';
import { TaxBreakdown } from './totals.ts';

export class ReceiptPayment {
  @OneOf(paymentMethods) method: PaymentMethod;
  @IsExact() amount: number;
}

/** Numbered at creation; whether it is registered shows in `fiscal` alone. */
export class ReceiptResource extends ResourceHead {
  @IsPrefixedId('rcp') id: string;
  @OneOf(['receipt']) object: 'receipt';
  @OneOf(receiptStatuses) status: ReceiptStatus;
  @SomeOf(receiptActions, { max: receiptActions.length }) available_actions: ReceiptAction[];
  @Nullable() @IsPrefixedId('cust') customer_id: string | null;
  @Nullable() @Nested(() => FrozenCustomer) customer: FrozenCustomer | null;
  @Nullable() @Nested(() => FrozenIssuer) issuer: FrozenIssuer | null;
  @NestedList(() => Item, { max: 500 }) items: Item[];
  @Optional() @NestedList(() => Adjustment, { max: 50 }) discounts?: Adjustment[];
  @Optional() @NestedList(() => Adjustment, { max: 50 }) charges?: Adjustment[];
  @IsCurrency() currency: string;
  @IsFlag() prices_include_tax: boolean;
  @OneOf(roundings) rounding: Rounding;
  @IsAnyText(12) series: string;
  @IsDay() issue_date: string;
  @IsTimestamp() issued_at: string;
  @IsAnyText(255) number: string;
  @Nullable() @OneOf(paymentMethods) payment_method: PaymentMethod | null;
  @NestedList(() => ReceiptPayment, { max: 20 }) payments: ReceiptPayment[];
  @Nullable() @IsAnyText(40) unit: string | null;
  @Nullable() @IsAnyText(40) device: string | null;
  @Nullable() @IsAnyText(40) operator: string | null;
  @Nullable() @IsAnyText(2000) notes: string | null;
  /** Without tax. */
  @IsExact() subtotal: number;
  @IsExact() discount_total: number;
  @IsExact() charge_total: number;
  @IsExact() tax_total: number;
  @IsExact() retained_total: number;
  /** With tax, before what is retained. */
  @IsExact() total: number;
  @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  /** As `fiscal.code`. */
  @Nullable() @IsAnyText(255) fiscal_code: string | null;
  @Nullable() @Nested(() => Fiscal) fiscal: Fiscal | null;
  @Nullable() @Nested(() => Void) void: Void | null;
}
