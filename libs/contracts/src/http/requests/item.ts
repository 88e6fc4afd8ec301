import {
  About,
  IsDecimal,
  IsMoney,
  IsPercent,
  IsPrefixedId,
  IsText,
  IsUnitCode,
  NestedList,
  Nullable,
  Optional,
  Together,
} from '../decorators/index.ts';
import type { Condition } from '../decorators/index.ts';
import { AdjustmentInput } from './adjustment.ts';
import type { MoneyInput } from './money.ts';
import { TaxInput } from './tax.ts';

const priceOrProduct: Condition = {
  schema: { anyOf: [{ required: ['unit_price'] }, { required: ['product_id'], properties: { product_id: { type: 'string' } } }] },
  problem: ({ unit_price, product_id }) =>
    unit_price === undefined && typeof product_id !== 'string' ? ['unit_price', 'Send unit_price.'] : undefined,
};

/** `tax_rate` is short for taxes of one VAT rate. */
export const taxesOrRate: Condition = {
  schema: { not: { required: ['taxes', 'tax_rate'], properties: { taxes: { type: 'array' }, tax_rate: { type: ['number', 'string'] } } } },
  problem: ({ taxes, tax_rate }) =>
    Array.isArray(taxes) && (typeof tax_rate === 'number' || typeof tax_rate === 'string')
      ? ['tax_rate', 'Send either taxes or tax_rate, which is short for one VAT rate.']
      : undefined,
};

/** A line. With product_id: description, unit, unit_price and taxes are the product's at that moment, unless they are given. */
@Together(priceOrProduct, taxesOrRate)
export class ItemInput {
  @About('Null: products are not served yet.') @Optional() @Nullable() @IsPrefixedId('prod') product_id?: string | null;
  @About('What is sold. Needed by the submission, not by the draft.') @Optional() @Nullable() @IsText(2000) description?: string | null;
  @About('Quantity, 1 when left out; negative takes back.') @Optional() @IsDecimal({ decimals: 8, sign: 'not zero' }) quantity?: MoneyInput;
  @About('Unit of measure, UN/ECE code; `C62` (one piece) when left out.') @Optional() @IsUnitCode() unit?: string;
  @About('Price of one unit, at most 8 decimals.') @Optional() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput;
  @About('Discounts of this line.') @Optional() @Nullable() @NestedList(() => AdjustmentInput, { max: 20 }) discounts?:
    AdjustmentInput[] | null;
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
