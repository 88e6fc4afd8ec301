import {
  About,
  type Condition,
  IsAnyText,
  IsExact,
  IsFlag,
  IsPercent,
  IsText,
  Matches,
  type MoneyInput,
  Nullable,
  OneOf,
  Optional,
} from './schema/decorators/index.ts';
import { vocabulary } from './schema/vocabulary.ts';

/** Codes of UNCL 5305: standard, zero rated, exempt, reverse charge, intra-community, export, outside the scope. */
export const taxCodes = vocabulary('TaxCode', ['S', 'Z', 'E', 'AE', 'K', 'G', 'O']);
export type TaxCode = (typeof taxCodes)[number];

/** Either `taxes` or `tax_rate`, the short form for one VAT rate. */
export const taxesOrRate: Condition = {
  rule: 'At most one of `taxes` and `tax_rate` is given; null is as good as left out.',
  problem: ({ taxes, tax_rate }) =>
    Array.isArray(taxes) && (typeof tax_rate === 'number' || typeof tax_rate === 'string')
      ? ['tax_rate', 'Send either taxes or tax_rate, which is short for one VAT rate.']
      : undefined,
};

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
  @About('Which exemption it is, in the words of the issuer’s authority: where a code E needs one, the refusal of a submission lists them.')
  @Optional()
  @Nullable()
  @IsText(40)
  exemption_code?: string | null;
  @About('Whether the customer withholds this tax: it lowers what is due, not the total.') @Optional() @IsFlag() retained?: boolean;
  @About('Equivalence surcharge, per cent of the base.') @Optional() @Nullable() @IsPercent() surcharge?: MoneyInput | null;
}

export class Tax {
  @About('Category of tax, such as `VAT`.') @IsAnyText(20) category: string;
  @About('Rate in per cent; 20 is 20 %.') @IsExact() rate: number;
  @About('UNCL 5305: standard, zero rated, exempt, reverse charge, intra-community, export, outside the scope.')
  @OneOf(taxCodes)
  code: TaxCode;
  @About('Why no tax is due, where the code says so.') @Optional() @Nullable() @IsAnyText(255) exemption_reason?: string | null;
  @About('Which exemption it is, in the words of the issuer’s authority.') @Optional() @Nullable() @IsAnyText(40) exemption_code?:
    string | null;
  @About('Whether the customer withholds this tax: it lowers what is due, not the total.') @Optional() @IsFlag() retained?: boolean;
  @About('Equivalence surcharge, per cent of the base.') @Optional() @Nullable() @IsExact() surcharge?: number | null;
}
