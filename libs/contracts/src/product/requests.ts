import { ProductResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { batchOf } from '../http/batch.ts';
import { type CatalogSort, catalogSorts, PageQuery } from '../http/page.ts';
import {
  About,
  IsCurrency,
  IsFlag,
  IsLines,
  OwnMetadata,
  MetadataChange,
  IsMoney,
  IsPercent,
  IsText,
  IsUnitCode,
  type MetadataInput,
  type MetadataPatch,
  type MoneyInput,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SeveralWholeTexts,
  Together,
} from '../schema/decorators/index.ts';
import { taxesOrRate, TaxInput } from '../tax.ts';

@Together(taxesOrRate)
@Writes(() => ProductResource)
export class CreateProduct {
  @About('Name of the product.') @IsText() name: string;
  @About('Description that lines take; left out, they take the name.') @Optional() @Nullable() @IsLines() description?: string | null;
  @About('Stock keeping unit; unique in its environment among products that are not deleted.') @Optional() @Nullable() @IsText() sku?:
    string | null;
  @About('Unit of measure, UN/ECE code; `C62` is one piece.') @Optional() @IsUnitCode() unit?: string;
  @About('Price of one unit.') @Optional() @Nullable() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput | null;
  @About(
    'ISO 4217 code of the price; lines of documents in another currency need a price of their own. Left out, any document can take the price.',
  )
  @Optional()
  @Nullable()
  @IsCurrency()
  currency?: string | null;
  @About('Taxes of its lines. Left out or null, with no `tax_rate`: the issuer’s default.')
  @Optional()
  @Nullable()
  @NestedList(() => TaxInput, { max: 10 })
  taxes?: TaxInput[] | null;
  @About('Short for taxes of one VAT rate, in per cent.') @Optional() @Nullable() @IsPercent() tax_rate?: MoneyInput | null;
  @About('Whether it can be used in new documents.') @Optional() @IsFlag() active?: boolean;
  @OwnMetadata() metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396); taxes are replaced whole. */
@Together(taxesOrRate)
@Writes(() => ProductResource)
export class UpdateProduct {
  @About('Name of the product.') @Optional() @IsText() name?: string;
  @About('Description that lines take.') @Optional() @Nullable() @IsLines() description?: string | null;
  @About('Stock keeping unit; unique in its environment among products that are not deleted.') @Optional() @Nullable() @IsText() sku?:
    string | null;
  @About('Unit of measure, UN/ECE code; `C62` is one piece.') @Optional() @IsUnitCode() unit?: string;
  @About('Price of one unit.') @Optional() @Nullable() @IsMoney({ decimals: 8 }) unit_price?: MoneyInput | null;
  @About('ISO 4217 code of the price.') @Optional() @Nullable() @IsCurrency() currency?: string | null;
  @About('Taxes of its lines; the list is replaced whole.') @Optional() @Nullable() @NestedList(() => TaxInput, { max: 10 }) taxes?:
    TaxInput[] | null;
  @About('Short for taxes of one VAT rate, in per cent.') @Optional() @Nullable() @IsPercent() tax_rate?: MoneyInput | null;
  @About('Whether it can be used in new documents.') @Optional() @IsFlag() active?: boolean;
  @MetadataChange() metadata?: MetadataPatch;
}
export const CreateProducts = batchOf(CreateProduct);
export type CreateProducts = InstanceType<typeof CreateProducts>;

export class ProductsQuery extends PageQuery {
  @About('Only the products with these SKUs. A SKU with commas is found as well.') @Optional() @SeveralWholeTexts() sku?: string[];
  @About('Only products that are active, or are not.') @Optional() @IsFlag() active?: boolean;
  @About(
    'Only those whose name has words that begin so, all of them (of a name the first eight words count), by Unicode case folding: `STRASSE` finds `Große Straße`. More than 10,000 matches are 400.',
  )
  @Optional()
  @IsText()
  q?: string;
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(catalogSorts) sort?: CatalogSort;
}
