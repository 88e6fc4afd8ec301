import { AnyObjects, IsCurrency, IsExact, IsFlag, NestedList, OneOf, Optional } from '../decorators/index.ts';
import { documentTypes, roundings } from '../vocabulary.ts';
import type { DocumentType, Rounding } from '../vocabulary.ts';
import { Adjustment, Item } from './line.ts';
import { TaxBreakdown } from './totals.ts';

/** What an invoice would come to; nothing was made. */
export class PreviewResource {
  @OneOf(['invoice_preview']) object: 'invoice_preview';
  @IsFlag() livemode: boolean;
  @OneOf(documentTypes) type: DocumentType;
  @NestedList(() => Item, { max: 500 }) items: Item[];
  @NestedList(() => Adjustment, { max: 50 }) discounts: Adjustment[];
  @NestedList(() => Adjustment, { max: 50 }) charges: Adjustment[];
  @IsCurrency() currency: string;
  @IsFlag() prices_include_tax: boolean;
  @OneOf(roundings) rounding: Rounding;
  @IsExact() subtotal: number;
  @IsExact() discount_total: number;
  @IsExact() charge_total: number;
  @IsExact() tax_total: number;
  @IsExact() retained_total: number;
  @IsExact() total: number;
  @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  /** With `explain=true`: the steps, in order. */
  @Optional() @AnyObjects({ max: 10_000 }) explanation?: Record<string, unknown>[];
}
