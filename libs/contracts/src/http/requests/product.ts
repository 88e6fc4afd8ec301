import {
  IsCurrency,
  IsFlag,
  IsMetadata,
  IsMetadataPatch,
  IsMoney,
  IsPercent,
  IsText,
  IsUnitCode,
  NestedList,
  Nullable,
  Optional,
  Together,
} from '../decorators/index.ts';
import { taxesOrRate } from './item.ts';
import type { MetadataInput, MetadataPatch, MoneyInput } from './money.ts';
import { TaxInput } from './tax.ts';

@Together(taxesOrRate)
export class CreateProduct {
  @IsText() name: string;
  @Optional() @Nullable() @IsText(2000) description?: string | null;
  /** Unique per environment among products that are not deleted. */
  @Optional() @Nullable() @IsText() sku?: string | null;
  @Optional() @IsUnitCode() unit?: string;
  @Optional() @Nullable() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput | null;
  @Optional() @Nullable() @IsCurrency() currency?: string | null;
  @Optional() @Nullable() @NestedList(() => TaxInput, { max: 10 }) taxes?: TaxInput[] | null;
  @Optional() @Nullable() @IsPercent() tax_rate?: MoneyInput | null;
  @Optional() @IsFlag() active?: boolean;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396); taxes are replaced whole. */
@Together(taxesOrRate)
export class UpdateProduct {
  @Optional() @IsText() name?: string;
  @Optional() @Nullable() @IsText(2000) description?: string | null;
  @Optional() @Nullable() @IsText() sku?: string | null;
  @Optional() @IsUnitCode() unit?: string;
  @Optional() @Nullable() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput | null;
  @Optional() @Nullable() @IsCurrency() currency?: string | null;
  @Optional() @Nullable() @NestedList(() => TaxInput, { max: 10 }) taxes?: TaxInput[] | null;
  @Optional() @Nullable() @IsPercent() tax_rate?: MoneyInput | null;
  @Optional() @IsFlag() active?: boolean;
  @Optional() @Nullable() @IsMetadataPatch() metadata?: MetadataPatch;
}
