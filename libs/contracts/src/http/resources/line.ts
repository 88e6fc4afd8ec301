import { About, IsAnyText, IsExact, IsFlag, IsPrefixedId, NestedList, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { taxCodes } from '../vocabulary.ts';
import type { TaxCode } from '../vocabulary.ts';

export class Tax {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About('UNCL 5305: standard, zero rated, exempt, reverse charge, intra-community, export, outside the scope.')
  @OneOf(taxCodes)
  code: TaxCode;
  @About('Why no tax is due, where the code says so.') @Optional() @Nullable() @IsAnyText(255) exemption_reason?: string | null;
  @About('Whether the customer withholds this tax: it lowers what is due, not the total.') @Optional() @IsFlag() retained?: boolean;
  @About('Equivalence surcharge, per cent of the base.') @Optional() @Nullable() @IsExact() surcharge?: number | null;
}

/** A discount or a charge as it was given: percent or amount. */
export class Adjustment {
  @About('Percentage of the gross amount, where one was given.') @Optional() @Nullable() @IsExact() percent?: number | null;
  @About('Fixed amount, where one was given.') @Optional() @Nullable() @IsExact() amount?: number | null;
  @About('Reason, as it is shown.') @Optional() @Nullable() @IsAnyText(255) reason?: string | null;
  @About('Of a document’s: the tax group that it belongs to. Absent, it is shared over all of them.')
  @Optional()
  @Nullable()
  @NestedList(() => Tax, { max: 10 })
  taxes?: Tax[] | null;
}

export class Item {
  @About('Product that the line was made from; null when it was given in full.') @Nullable() @IsPrefixedId('prod') product_id:
    string | null;
  @About('What was sold.') @Nullable() @IsAnyText(2000) description: string | null;
  @About('Quantity; negative takes back.') @IsExact() quantity: number;
  @About('Unit of measure, UN/ECE code; `C62` is one piece.') @IsAnyText(3) unit: string;
  @About('Price of one unit.') @IsExact() unit_price: number;
  @About('Discounts of this line.') @NestedList(() => Adjustment, { max: 20 }) discounts: Adjustment[];
  @About('Charges on this line.') @NestedList(() => Adjustment, { max: 20 }) charges: Adjustment[];
  @About('Sum of this line’s discounts.') @IsExact() discount_amount: number;
  @About('Sum of this line’s charges.') @IsExact() charge_amount: number;
  @About('Taxes of the line.') @NestedList(() => Tax, { max: 10 }) taxes: Tax[];
  @About('Net of the line: without tax, after its discounts and charges.') @IsExact() amount: number;
}
