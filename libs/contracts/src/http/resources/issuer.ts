import {
  IsAnyText,
  IsCountry,
  IsCurrency,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimeZone,
  Nested,
  NestedList,
  Nullable,
  OneOf,
} from '../decorators/index.ts';
import { authorities, roundings } from '../vocabulary.ts';
import type { AuthorityId, Rounding } from '../vocabulary.ts';
import { Address } from './address.ts';
import { ResourceHead } from './head.ts';
import { Operator, SeriesSet, Unit } from './issuer-parts.ts';

/** Who issues the documents of an account in one environment. */
export class IssuerResource extends ResourceHead {
  @IsPrefixedId('iss') id: string;
  @OneOf(['issuer']) object: 'issuer';
  @Nullable() @IsAnyText(255) legal_name: string | null;
  @Nullable() @IsAnyText(255) trade_name: string | null;
  @Nullable() @IsAnyText(255) tax_id: string | null;
  @IsFlag() vat_registered: boolean;
  @Nullable() @Nested(() => Address) address: Address | null;
  @Nullable() @IsCountry() country: string | null;
  @IsCurrency() currency: string;
  @IsTimeZone() time_zone: string;
  @Nullable() @IsAnyText(35) language: string | null;
  /** Per cent. */
  @Nullable() @IsExact() default_tax_rate: number | null;
  @IsFlag() prices_include_tax: boolean;
  @OneOf(roundings) rounding: Rounding;
  @Nested(() => SeriesSet) series: SeriesSet;
  @NestedList(() => Unit, { max: 100 }) units: Unit[];
  @NestedList(() => Operator, { max: 100 }) operators: Operator[];
  @Nullable() @IsAnyText(255) software_code: string | null;
  /** Null: documents cannot be submitted. */
  @Nullable() @OneOf(authorities) authority: AuthorityId | null;
}
