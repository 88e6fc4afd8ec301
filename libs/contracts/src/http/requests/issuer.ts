import {
  IsCountry,
  IsCurrency,
  IsFlag,
  IsLanguage,
  IsMetadataPatch,
  IsPercent,
  IsSeries,
  IsSeriesFormat,
  IsText,
  IsTimeZone,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  TextList,
} from '../decorators/index.ts';
import { authorities, roundings } from '../vocabulary.ts';
import type { AuthorityId, Rounding } from '../vocabulary.ts';
import { AddressInput } from './address.ts';
import type { MetadataPatch, MoneyInput } from './money.ts';

export class SeriesInput {
  @Optional() @IsSeries() code?: string;
  @Optional() @IsSeriesFormat() format?: string;
  /** The first number; it can be set until a number is taken. */
  @Optional() @IsWhole({ min: 1, max: 999_999_999 }) start?: number;
}

export class SeriesSetInput {
  @Optional() @Nested(() => SeriesInput) standard?: SeriesInput;
  @Optional() @Nested(() => SeriesInput) credit_note?: SeriesInput;
  @Optional() @Nested(() => SeriesInput) corrective?: SeriesInput;
  @Optional() @Nested(() => SeriesInput) receipt?: SeriesInput;
}

export class UnitInput {
  @IsText(40) code: string;
  @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @Optional() @TextList(40, { max: 100 }) devices?: string[];
}

export class OperatorInput {
  @IsText(40) code: string;
  @IsText() name: string;
}

/** A JSON merge patch (RFC 7396); units and operators are replaced whole. */
export class UpdateIssuer {
  @Optional() @IsText() legal_name?: string;
  @Optional() @Nullable() @IsText() trade_name?: string | null;
  @Optional() @Nullable() @IsText(50) tax_id?: string | null;
  @Optional() @IsFlag() vat_registered?: boolean;
  @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @Optional() @IsCountry() country?: string;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsTimeZone() time_zone?: string;
  @Optional() @IsLanguage() language?: string;
  @Optional() @Nullable() @IsPercent() default_tax_rate?: MoneyInput | null;
  @Optional() @IsFlag() prices_include_tax?: boolean;
  @Optional() @OneOf(roundings) rounding?: Rounding;
  @Optional() @Nested(() => SeriesSetInput) series?: SeriesSetInput;
  @Optional() @NestedList(() => UnitInput, { max: 100 }) units?: UnitInput[];
  @Optional() @NestedList(() => OperatorInput, { max: 100 }) operators?: OperatorInput[];
  @Optional() @Nullable() @IsText(40) software_code?: string | null;
  @Optional() @Nullable() @OneOf(authorities) authority?: AuthorityId | null;
  @Optional() @Nullable() @IsMetadataPatch() metadata?: MetadataPatch;
}
