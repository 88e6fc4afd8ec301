import { Address } from '../address.ts';
import { ResourceHead } from '../http/head.ts';
import {
  About,
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
} from '../schema/decorators/index.ts';
import { Device } from './device.ts';
import { Operator, Unit } from './parts.ts';
import { Setup } from './setup.ts';
import { Live } from '../schema/decorators/metadata.ts';
import { type Series, type SeriesKind, SeriesSet } from './series.ts';
import { type AuthorityId, type Rounding, roundings } from './vocabulary.ts';

/** The issuer of the documents of an account in one environment. */
export class IssuerResource extends ResourceHead {
  @About('Identifier, `iss_…`.') @IsPrefixedId('iss') id: string;
  @About('Kind of resource.') @OneOf(['issuer']) object: 'issuer';
  @About('Registered name.') @Nullable() @IsAnyText(255) legal_name: string | null;
  @About('Name under which it trades.') @Nullable() @IsAnyText(255) trade_name: string | null;
  @About('Tax identification number in the country of the address.') @Nullable() @IsAnyText(255) tax_id: string | null;
  @About('Whether it is registered for VAT.') @IsFlag() vat_registered: boolean;
  @About('Postal address.') @Nullable() @Nested(() => Address) address: Address | null;
  @About('ISO 3166-1 alpha-2 country code.') @Nullable() @IsCountry() country: string | null;
  @About('ISO 4217 code of documents that state none.') @IsCurrency() currency: string;
  @About('IANA time zone; “today”, report periods and the years of numbers follow it.') @IsTimeZone() time_zone: string;
  @About('BCP 47 language tag of documents.') @Nullable() @IsAnyText(35) language: string | null;
  @About('VAT rate in per cent of lines that state no tax.') @Nullable() @IsExact() default_tax_rate: number | null;
  @About('Whether prices include tax where a document does not say.') @IsFlag() prices_include_tax: boolean;
  @About('Rounding where a document does not say. `line`: each line is rounded; `precise`: only tax groups and totals are.')
  @OneOf(roundings)
  rounding: Rounding;
  @About('Number series by type of document.') @Nested(() => SeriesSet) series: Record<SeriesKind, Series>;
  @About('Business units: places of business or tills.') @NestedList(() => Unit, { max: 100 }) units: Unit[];
  @About('Tills of the units, in their order.') @NestedList(() => Device, { max: 10_000 }) devices: Device[];
  @About('People who operate tills.') @NestedList(() => Operator, { max: 100 }) operators: Operator[];
  @About('Code that the tax authority gave to the software.') @Nullable() @IsAnyText(255) software_code: string | null;
  @About('Number of the installation, which the records of a chain name; null where none is needed.')
  @Nullable()
  @IsAnyText(40)
  installation: string | null;
  @About('The scheme of VAT that the issuer is taxed by, in the words of its authority; null: the general one.')
  @Nullable()
  @IsAnyText(40)
  tax_regime: string | null;
  @About('Tax authority that documents are sent to; null: none, and nothing can be submitted.')
  @Nullable()
  @IsAnyText(40)
  authority: AuthorityId | null;
  @About('What is missing before documents can be submitted: a submission is refused for the same.')
  @Live()
  @Nested(() => Setup)
  setup: Setup;
}
