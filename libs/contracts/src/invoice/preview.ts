import { Adjustment, Item } from '../document/line.ts';
import { TaxBreakdown } from '../document/totals.ts';
import { type DocumentType, documentTypes, type Rounding, roundings } from '../document/vocabulary.ts';
import { About, AnyObjects, IsCurrency, IsExact, IsFlag, NestedList, OneOf, Optional } from '../schema/decorators/index.ts';

export class PreviewQuery {
  @About('Adds `explanation`: how each total came about.') @Optional() @IsFlag() explain?: boolean;
}

/** The computed totals of an invoice that is not created. */
export class PreviewResource {
  @About('Kind of resource.') @OneOf(['invoice_preview']) object: 'invoice_preview';
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('Type of the invoice.') @OneOf(documentTypes) type: DocumentType;
  @About('Lines of the document, in order.') @NestedList(() => Item, { max: 500 }) items: Item[];
  @About('Discounts, applied in order.') @NestedList(() => Adjustment, { max: 50 }) discounts: Adjustment[];
  @About('Charges, applied in order.') @NestedList(() => Adjustment, { max: 50 }) charges: Adjustment[];
  @About('ISO 4217 code.') @IsCurrency() currency: string;
  @About('Whether `unit_price` includes tax.') @IsFlag() prices_include_tax: boolean;
  @About('`line`: each line is rounded; `precise`: only tax groups and totals are.') @OneOf(roundings) rounding: Rounding;
  @About('Sum of the lines without tax, after discounts and charges.') @IsExact() subtotal: number;
  @About('Discounts of the whole document, without those of lines.') @IsExact() discount_total: number;
  @About('Charges of the whole document, without those of lines.') @IsExact() charge_total: number;
  @About('All taxes that are not retained, surcharges included.') @IsExact() tax_total: number;
  @About('Taxes that the customer withholds.') @IsExact() retained_total: number;
  @About('Total with tax, before what is retained.') @IsExact() total: number;
  @About('One row per tax group.') @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  @About('With `explain=true`: the steps, in order.') @Optional() @AnyObjects({ max: 10_000 }) explanation?: Record<string, unknown>[];
}
