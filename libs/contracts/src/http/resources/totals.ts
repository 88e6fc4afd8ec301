import { IsAnyText, IsExact, IsFlag, Nested, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { taxCodes } from '../vocabulary.ts';
import type { TaxCode } from '../vocabulary.ts';

export class Surcharge {
  @IsExact() rate: number;
  @IsExact() amount: number;
}

/** One tax group: category, code, rate, retained. */
export class TaxBreakdown {
  @IsAnyText(20) category: string;
  @OneOf(taxCodes) code: TaxCode;
  @IsExact() rate: number;
  @IsFlag() retained: boolean;
  @IsExact() base: number;
  @IsExact() amount: number;
  @Optional() @Nullable() @IsAnyText(255) exemption_reason?: string | null;
  @Optional() @Nullable() @Nested(() => Surcharge) surcharge?: Surcharge | null;
}
