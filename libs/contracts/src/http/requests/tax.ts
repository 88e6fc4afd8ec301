import { IsFlag, IsPercent, IsText, Matches, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { taxCodes } from '../vocabulary.ts';
import type { TaxCode } from '../vocabulary.ts';
import type { MoneyInput } from './money.ts';

export class TaxInput {
  /** VAT when left out. */
  @Optional() @Matches('^[A-Za-z0-9_-]{1,20}$', 20, 'Send 1 to 20 letters, digits, _ or -, such as VAT.') category?: string;
  @IsPercent() rate: MoneyInput;
  /** S when left out, Z for a rate of 0. */
  @Optional() @OneOf(taxCodes) code?: TaxCode;
  @Optional() @Nullable() @IsText() exemption_reason?: string | null;
  /** Withheld by the customer: lowers what is due, not the total. */
  @Optional() @IsFlag() retained?: boolean;
  /** Equivalence surcharge, per cent of the base. */
  @Optional() @Nullable() @IsPercent() surcharge?: MoneyInput | null;
}
