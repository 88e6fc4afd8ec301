import { IssuerResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { AddressInput } from '../address.ts';
import {
  About,
  IsCountry,
  IsCurrency,
  IsFlag,
  IsLanguage,
  MetadataChange,
  IsPercent,
  IsText,
  IsTimeZone,
  Matches,
  type MetadataPatch,
  type MoneyInput,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  TextList,
} from '../schema/decorators/index.ts';
import { DeviceInput } from './device.ts';
import { type SeriesInput, type SeriesKind, SeriesSetInput } from './series.ts';
import { AUTHORITY_WORDS, type AuthorityId, type Rounding, roundings, servedAuthorities } from './vocabulary.ts';

export class UnitInput {
  @About('Code of the unit, unique.') @IsText(40) code: string;
  @About('Where the unit is.') @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @About('Codes of the tills of this unit; all units together have at most 1,000.')
  @Optional()
  @TextList(40, { max: 100 })
  devices?: string[];
}

export class OperatorInput {
  @About('Code of the operator, unique.') @IsText(40) code: string;
  @About('Name of the operator.') @IsText() name: string;
}

/** A JSON merge patch (RFC 7396); units and operators are replaced whole, devices are merged by `code`. */
@Writes(() => IssuerResource)
export class UpdateIssuer {
  @About('Registered name; null only while it is not set.') @Optional() @Nullable() @IsText() legal_name?: string | null;
  @About('Name under which it trades.') @Optional() @Nullable() @IsText() trade_name?: string | null;
  @About(
    'Tax identification number in the country of the address, else in `country`. Judged when it or its country changes, by the rule of `tax_id` of customers; the one that a test issuer begins with always passes. UBL states it as VAT identifier where `vat_registered` is true and it has the form of one.',
  )
  @Optional()
  @Nullable()
  @IsText(50)
  tax_id?: string | null;
  @About('Whether it is registered for VAT.') @Optional() @IsFlag() vat_registered?: boolean;
  @About('Postal address: parts that are given are merged, null removes it.')
  @Optional()
  @Nullable()
  @Nested(() => AddressInput)
  address?: AddressInput | null;
  @About('ISO 3166-1 alpha-2 country code; null only while it is not set.') @Optional() @Nullable() @IsCountry() country?: string | null;
  @About('ISO 4217 code of documents that state none.') @Optional() @IsCurrency() currency?: string;
  @About('IANA time zone; “today”, report periods and the years of numbers follow it.') @Optional() @IsTimeZone() time_zone?: string;
  @About('BCP 47 language tag of documents.') @Optional() @IsLanguage() language?: string;
  @About('VAT rate in per cent of lines that state no tax.') @Optional() @Nullable() @IsPercent() default_tax_rate?: MoneyInput | null;
  @About('Whether prices include tax where a document does not say.') @Optional() @IsFlag() prices_include_tax?: boolean;
  @About('Rounding where a document does not say. `line`: each line is rounded; `precise`: only tax groups and totals are.')
  @Optional()
  @OneOf(roundings)
  rounding?: Rounding;
  @About('Number series by type of document; parts that are given are merged.')
  @Optional()
  @Nested(() => SeriesSetInput)
  series?: Partial<Record<SeriesKind, SeriesInput>>;
  @About('Business units; the list is replaced whole.') @Optional() @NestedList(() => UnitInput, { max: 100 }) units?: UnitInput[];
  @About(
    'What tills have of their own besides their codes in `units`, merged by `code`: those that are not sent stay, and a till that is in no unit any more is gone.',
  )
  @Optional()
  @NestedList(() => DeviceInput, { max: 1_000 })
  devices?: DeviceInput[];
  @About('People who operate tills; the list is replaced whole.')
  @Optional()
  @NestedList(() => OperatorInput, { max: 100 })
  operators?: OperatorInput[];
  @About('Code that the tax authority gave to the software.') @Optional() @Nullable() @IsText(40) software_code?: string | null;
  @About(
    'Number of the installation, which the records of a chain name (Spain). It is made when the authority is set; another one begins another chain, and none is ever used again.',
  )
  @Optional()
  @Nullable()
  @Matches('^[A-Za-z0-9]{1,40}$', 40, 'Send 1 to 40 letters and digits.')
  installation?: string | null;
  @About(
    'The scheme of VAT that the issuer is taxed by, in the words of its authority (Spain: `01`, `07`, `11`, `18`, `19`, `20`, of list L8A); null: the general one. `setup` names what the authority does not know.',
  )
  @Optional()
  @Nullable()
  @IsText(40)
  tax_regime?: string | null;
  @About(
    'Tax authority that documents are sent to; null: none, and nothing can be submitted. With a test key a national authority is simulated, and what it wants of the issuer and is not set is filled in.',
  )
  @Optional()
  @Nullable()
  @OneOf(servedAuthorities, AUTHORITY_WORDS)
  authority?: AuthorityId | null;
  @MetadataChange() metadata?: MetadataPatch;
}
