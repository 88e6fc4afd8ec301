import { IsAnyText, IsExact, IsFlag, IsPrefixedId, NestedList, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { taxCodes } from '../vocabulary.ts';
import type { TaxCode } from '../vocabulary.ts';

export class Tax {
  @IsAnyText(20) category: string;
  @IsExact() rate: number;
  @OneOf(taxCodes) code: TaxCode;
  @Optional() @Nullable() @IsAnyText(255) exemption_reason?: string | null;
  @Optional() @IsFlag() retained?: boolean;
  @Optional() @Nullable() @IsExact() surcharge?: number | null;
}

/** A discount or a charge as it was given: percent or amount. */
export class Adjustment {
  @Optional() @Nullable() @IsExact() percent?: number | null;
  @Optional() @Nullable() @IsExact() amount?: number | null;
  @Optional() @Nullable() @IsAnyText(255) reason?: string | null;
  @Optional() @Nullable() @NestedList(() => Tax, { max: 10 }) taxes?: Tax[] | null;
}

export class Item {
  @Nullable() @IsPrefixedId('prod') product_id: string | null;
  @Nullable() @IsAnyText(2000) description: string | null;
  @IsExact() quantity: number;
  @IsAnyText(3) unit: string;
  @IsExact() unit_price: number;
  @NestedList(() => Adjustment, { max: 20 }) discounts: Adjustment[];
  @NestedList(() => Adjustment, { max: 20 }) charges: Adjustment[];
  /** Sum of this line's discounts. */
  @IsExact() discount_amount: number;
  /** Sum of this line's charges. */
  @IsExact() charge_amount: number;
  @NestedList(() => Tax, { max: 10 }) taxes: Tax[];
  /** Net of the line: without tax, after its discounts and charges. */
  @IsExact() amount: number;
}
