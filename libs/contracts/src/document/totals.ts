import { About, IsAnyText, IsExact, IsFlag, Nested, Nullable, OneOf, Optional } from '../schema/decorators/index.ts';
import { type TaxCode, taxCodes } from '../tax.ts';

export class Surcharge {
  @About('Rate in per cent of the base.') @IsExact() rate: number;
  @About('Surcharge, rounded.') @IsExact() amount: number;
}

/** One tax group: category, code, rate, retained. */
export class TaxBreakdown {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('UNCL 5305 code of the group.') @OneOf(taxCodes) code: TaxCode;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About('Whether the customer withholds this tax.') @IsFlag() retained: boolean;
  @About('Amount that the tax is computed from.') @IsExact() base: number;
  @About('Tax on the base, rounded.') @IsExact() amount: number;
  @About('Why no tax is due, where the code says so.') @Optional() @Nullable() @IsAnyText(255) exemption_reason?: string | null;
  @About('Equivalence surcharge of the group.') @Optional() @Nullable() @Nested(() => Surcharge) surcharge?: Surcharge | null;
}
