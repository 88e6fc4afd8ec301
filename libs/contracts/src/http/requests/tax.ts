import { About, IsFlag, IsPercent, IsText, Matches, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { taxCodes } from '../vocabulary.ts';
import type { TaxCode } from '../vocabulary.ts';
import type { MoneyInput } from './money.ts';

export class TaxInput {
  @About('Category of tax; `VAT` when left out.')
  @Optional()
  @Matches('^[A-Za-z0-9_-]{1,20}$', 20, 'Send 1 to 20 letters, digits, _ or -, such as VAT.')
  category?: string;
  @About('Rate in per cent; 20 is 20 %.') @IsPercent() rate: MoneyInput;
  @About(
    'UNCL 5305: standard, zero rated, exempt, reverse charge, intra-community, export, outside the scope. `S` when left out, `Z` for a rate of 0.',
  )
  @Optional()
  @OneOf(taxCodes)
  code?: TaxCode;
  @About('Why no tax is due, where the code says so.') @Optional() @Nullable() @IsText() exemption_reason?: string | null;
  @About('Whether the customer withholds this tax: it lowers what is due, not the total.') @Optional() @IsFlag() retained?: boolean;
  @About('Equivalence surcharge, per cent of the base.') @Optional() @Nullable() @IsPercent() surcharge?: MoneyInput | null;
}
