import {
  About,
  type Condition,
  eitherOf,
  IsAnyText,
  IsDecimal,
  IsExact,
  IsLines,
  IsMoney,
  IsPercent,
  IsPrefixedId,
  IsText,
  IsUnitCode,
  type MoneyInput,
  NestedList,
  Nullable,
  Optional,
  Together,
} from '../schema/decorators/index.ts';
import { Tax, taxesOrRate, TaxInput } from '../tax.ts';

/** A discount or a charge, of a line or of the document. */
@Together(eitherOf('percent', 'amount'))
export class AdjustmentInput {
  @About('Percentage of the gross amount. Either this or `amount`.') @Optional() @IsPercent() percent?: MoneyInput;
  @About('Fixed amount. Either this or `percent`.') @Optional() @IsMoney() amount?: MoneyInput;
  @About('Reason, as it is shown on the document.') @Optional() @Nullable() @IsText() reason?: string | null;
  @About('Of a document’s: the tax group that it belongs to. Left out, it is shared over all of them.')
  @Optional()
  @Nullable()
  @NestedList(() => TaxInput, { max: 10 })
  taxes?: TaxInput[] | null;
}

const priceOrProduct: Condition = {
  rule: '`unit_price` is required unless `product_id` is given.',
  problem: ({ unit_price, product_id }) =>
    unit_price === undefined && typeof product_id !== 'string' ? ['unit_price', 'Send unit_price.'] : undefined,
};

/** A line. With product_id, description, unit, unit_price and taxes default to those of the product at that time. */
@Together(priceOrProduct, taxesOrRate)
export class ItemInput {
  @About('Product from which description, unit, unit_price and taxes are copied now, unless they are given. It is active and not deleted.')
  @Optional()
  @Nullable()
  @IsPrefixedId('prod')
  product_id?: string | null;
  @About('What is sold. Needed by the submission, not by the draft.') @Optional() @Nullable() @IsLines() description?: string | null;
  @About('Quantity, 1 when left out; negative takes back.') @Optional() @IsDecimal({ decimals: 8, sign: 'not zero' }) quantity?: MoneyInput;
  @About('Unit of measure, UN/ECE code; `C62` (one piece) when left out.') @Optional() @IsUnitCode() unit?: string;
  @About('Price of one unit, at most 8 decimals.') @Optional() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput;
  @About('Discounts of this line, together at most its gross amount.')
  @Optional()
  @Nullable()
  @NestedList(() => AdjustmentInput, { max: 20 })
  discounts?: AdjustmentInput[] | null;
  @About('Charges on this line.') @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 20 }) charges?:
    AdjustmentInput[] | null;
  @About('Taxes of the line. Empty: not subject to tax.') @Optional() @Nullable() @NestedList(() => TaxInput, { max: 10 }) taxes?:
    TaxInput[] | null;
  @About('Short for one VAT rate, in per cent. Left out or null, with no `taxes`: the issuer’s default.')
  @Optional()
  @Nullable()
  @IsPercent()
  tax_rate?: MoneyInput | null;
}

/** A discount or a charge as it was sent: percent or amount. */
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
