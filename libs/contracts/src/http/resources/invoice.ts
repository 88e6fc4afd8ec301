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
  SomeOf,
} from '../decorators/index.ts';
import { documentTypes, invoiceActions, invoiceStatuses, paymentStatuses, roundings } from '../vocabulary.ts';
import type { DocumentType, InvoiceAction, InvoiceStatus, PaymentStatus, Rounding } from '../vocabulary.ts';
import { Fiscal, Void } from './fiscal.ts';
import { ResourceHead } from './head.ts';
import { Adjustment, Item } from './line.ts';
import { FrozenCustomer, FrozenIssuer } from './parties.ts';
import { TaxBreakdown } from './totals.ts';

export class InvoiceResource extends ResourceHead {
  @IsPrefixedId('inv') id: string;
  @OneOf(['invoice']) object: 'invoice';
  @OneOf(documentTypes) type: DocumentType;
  @OneOf(invoiceStatuses) status: InvoiceStatus;
  /** What can be done with it now. Metadata can always be changed. */
  @SomeOf(invoiceActions, { max: invoiceActions.length }) available_actions: InvoiceAction[];
  @IsPrefixedId('cust') customer_id: string;
  /** Null on a draft; a frozen copy from submission on. */
  @Nullable() @Nested(() => FrozenCustomer) customer: FrozenCustomer | null;
  @Nullable() @Nested(() => FrozenIssuer) issuer: FrozenIssuer | null;
  @NestedList(() => Item, { max: 500 }) items: Item[];
  @NestedList(() => Adjustment, { max: 50 }) discounts: Adjustment[];
  @NestedList(() => Adjustment, { max: 50 }) charges: Adjustment[];
  @IsCurrency() currency: string;
  @IsFlag() prices_include_tax: boolean;
  /** `line`: each line is rounded; `precise`: only groups and totals are. */
  @OneOf(roundings) rounding: Rounding;
  @IsAnyText(12) series: string;
  @Nullable() @IsDay() issue_date: string | null;
  @Nullable() @IsDay() due_date: string | null;
  /** The moment of numbering. */
  @Nullable() @IsTimestamp() issued_at: string | null;
  @Nullable() @IsAnyText(255) number: string | null;
  @Nullable() @IsPrefixedId('inv') corrects: string | null;
  @Nullable() @IsAnyText(2000) notes: string | null;
  /** Without tax. */
  @IsExact() subtotal: number;
  /** Of the document, not of its lines. */
  @IsExact() discount_total: number;
  @IsExact() charge_total: number;
  @IsExact() tax_total: number;
  @IsExact() retained_total: number;
  /** With tax, before what is retained. */
  @IsExact() total: number;
  @IsExact() amount_paid: number;
  @IsExact() amount_credited: number;
  /** total − retained_total − amount_paid − amount_credited. */
  @IsExact() amount_due: number;
  @OneOf(paymentStatuses) payment_status: PaymentStatus;
  @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  /** As `fiscal.code`. */
  @Nullable() @IsAnyText(255) fiscal_code: string | null;
  @Nullable() @Nested(() => Fiscal) fiscal: Fiscal | null;
  @Nullable() @Nested(() => Void) void: Void | null;
}
