import { IsAnyText, IsCountry, IsExact, IsFlag, IsPrefixedId, Nested, NestedList, Nullable, OneOf, Optional } from '../decorators/index.ts';
import { authorities } from '../vocabulary.ts';
import type { AuthorityId } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Operator, Unit } from './issuer-parts.ts';

/** The customer as frozen into a document when it was numbered. */
export class FrozenCustomer {
  @IsPrefixedId('cust') id: string;
  @Nullable() @IsAnyText(255) name: string | null;
  @Nullable() @IsAnyText(255) email: string | null;
  @Nullable() @IsAnyText(255) phone: string | null;
  @Nullable() @IsAnyText(255) tax_id: string | null;
  @Nullable() @IsAnyText(35) language: string | null;
  @Nullable() @Nested(() => Address) address: Address | null;
}

/** The issuer as frozen into a document when it was numbered. */
export class FrozenIssuer {
  @Optional() @IsPrefixedId('iss') id?: string;
  @Nullable() @IsAnyText(255) legal_name: string | null;
  @Nullable() @IsAnyText(255) trade_name: string | null;
  @Nullable() @IsAnyText(255) tax_id: string | null;
  @IsFlag() vat_registered: boolean;
  @Nullable() @Nested(() => Address) address: Address | null;
  @Nullable() @IsCountry() country: string | null;
  @Optional() @Nullable() @IsAnyText(3) currency?: string | null;
  @Nullable() @IsAnyText(64) time_zone: string | null;
  @Optional() @Nullable() @IsAnyText(35) language?: string | null;
  @Optional() @Nullable() @IsExact() default_tax_rate?: number | null;
  @Optional() @NestedList(() => Unit, { max: 100 }) units?: Unit[];
  @Optional() @NestedList(() => Operator, { max: 100 }) operators?: Operator[];
  @Optional() @Nullable() @IsAnyText(255) software_code?: string | null;
  @Nullable() @OneOf(authorities) authority: AuthorityId | null;
}
