import { Address } from '../address.ts';
import { type CustomerKind, customerKinds, MOST_TAX_IDS, TaxId, type TaxIdKind, taxIdKinds } from '../tax-id.ts';
import { FrozenDevice } from '../issuer/device.ts';
import { Operator, Unit } from '../issuer/parts.ts';
import type { AuthorityId } from '../issuer/vocabulary.ts';
import {
  About,
  IsAnyText,
  IsCountry,
  IsExact,
  IsFlag,
  IsPrefixedId,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Personal,
} from '../schema/decorators/index.ts';

/** The customer as frozen into a document when it was numbered. */
export class FrozenCustomer {
  @About('Identifier of the customer.') @IsPrefixedId('cust') id: string;
  @About('Name.') @Personal() @Nullable() @IsAnyText(255) name: string | null;
  @About('Email address.') @Personal() @Nullable() @IsAnyText(255) email: string | null;
  @About('Telephone number.') @Personal() @Nullable() @IsAnyText(255) phone: string | null;
  @About('Tax identification number at that time.') @Personal() @Nullable() @IsAnyText(255) tax_id: string | null;
  @About('What kind of number it is; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(taxIdKinds)
  tax_id_kind?: TaxIdKind | null;
  @About('Whether it is a business or a private person; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(customerKinds)
  kind?: CustomerKind | null;
  @About('Further numbers at that time; absent where there were none.')
  @Personal()
  @Optional()
  @NestedList(() => TaxId, { max: MOST_TAX_IDS })
  tax_ids?: TaxId[];
  @About('BCP 47 language tag, such as `es-ES`.') @Nullable() @IsAnyText(35) language: string | null;
  @About('Postal address.') @Personal() @Nullable() @Nested(() => Address) address: Address | null;
}

/** The issuer as frozen into a document when it was numbered. */
export class FrozenIssuer {
  @About('Identifier of the issuer.') @Optional() @IsPrefixedId('iss') id?: string;
  @About('Registered name.') @Personal() @Nullable() @IsAnyText(255) legal_name: string | null;
  @About('Name under which it trades.') @Personal() @Nullable() @IsAnyText(255) trade_name: string | null;
  @About('Tax identification number in the country of the address.') @Personal() @Nullable() @IsAnyText(255) tax_id: string | null;
  @About('Whether it is registered for VAT.') @IsFlag() vat_registered: boolean;
  @About('Postal address.') @Personal() @Nullable() @Nested(() => Address) address: Address | null;
  @About('ISO 3166-1 alpha-2 country code.') @Nullable() @IsCountry() country: string | null;
  @About('ISO 4217 code.') @Optional() @Nullable() @IsAnyText(3) currency?: string | null;
  @About('IANA time zone; “today”, report periods and the years of numbers follow it.') @Nullable() @IsAnyText(64) time_zone: string | null;
  @About('BCP 47 language tag, such as `es-ES`.') @Optional() @Nullable() @IsAnyText(35) language?: string | null;
  @About('VAT rate in per cent of lines that state no tax.') @Optional() @Nullable() @IsExact() default_tax_rate?: number | null;
  @About('Business units: places of business or tills.') @Optional() @NestedList(() => Unit, { max: 100 }) units?: Unit[];
  @About('The till that issued it; absent where none did, and before 0.2.')
  @Optional()
  @NestedList(() => FrozenDevice, { max: 100 })
  devices?: FrozenDevice[];
  @About('People who operate tills.') @Optional() @NestedList(() => Operator, { max: 100 }) operators?: Operator[];
  @About('Code that the tax authority gave to the software.') @Optional() @Nullable() @IsAnyText(255) software_code?: string | null;
  @About('Number of the installation, which the records of a chain name; absent where there is none.')
  @Optional()
  @IsAnyText(40)
  installation?: string;
  @About('The scheme of VAT that the issuer is taxed by, in the words of its authority; absent: the general one.')
  @Optional()
  @IsAnyText(40)
  tax_regime?: string;
  @About('Tax authority that documents are sent to; null: none, and nothing can be submitted.')
  @Nullable()
  @IsAnyText(40)
  authority: AuthorityId | null;
}
