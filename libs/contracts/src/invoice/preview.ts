import { Adjustment, Item } from '../document/line.ts';
import { TaxBreakdown } from '../document/totals.ts';
import { type DocumentType, documentTypes, type Rounding, roundings } from '../document/vocabulary.ts';
import { About, IsAnyText, IsCurrency, IsExact, IsFlag, IsWhole, NestedList, OneOf, Optional } from '../schema/decorators/index.ts';

import { MOST_WARNINGS, Warning } from './warnings.ts';

export class PreviewQuery {
  @About('Adds `explanation`: how each total came about.') @Optional() @IsFlag() explain?: boolean;
}

/** The kinds of steps, in the order in which they are taken. */
export const explanationSteps = [
  'gross',
  'line_discount',
  'line_charge',
  'discount',
  'charge',
  'share',
  'tax',
  'base',
  'surcharge',
  'amount',
  'tax_total',
  'total',
  'subtotal',
] as const;
export type ExplanationStepName = (typeof explanationSteps)[number];
/** Of each kind; those beyond are left out and counted. */
export const MOST_STEPS = 500;

/** One step of the calculation. What is rounded is rounded half away from zero, to the decimals of the currency. */
export class ExplanationStep {
  @About('Kind of step.') @OneOf(explanationSteps) step: ExplanationStepName;
  @About('Field of the preview that it belongs to, such as `items.0` or `tax_breakdown.1.amount`.') @IsAnyText(60) field: string;
  @About('What was calculated, before it was rounded; `R()` rounds within it.') @IsAnyText(600) calculation: string;
  @About('What came of it.') @IsExact() result: number;
  @About('The rule that asked for it.') @IsAnyText(200) rule: string;
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
  @About('What will be due once it is issued: the total less retained taxes; 0 for a credit note.') @IsExact() amount_due: number;
  @About('One row per tax group.') @NestedList(() => TaxBreakdown, { max: 1000 }) tax_breakdown: TaxBreakdown[];
  @About('What is probably not meant, or is missing.') @NestedList(() => Warning, { max: MOST_WARNINGS }) warnings: Warning[];
  @About('With `explain=true`: the steps, in order; of each kind the first 500.')
  @Optional()
  @NestedList(() => ExplanationStep, { max: explanationSteps.length * MOST_STEPS })
  explanation?: ExplanationStep[];
  @About('With `explain=true`: how many steps beyond the first 500 of their kind were left out.')
  @Optional()
  @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER })
  explanation_left_out?: number;
}
