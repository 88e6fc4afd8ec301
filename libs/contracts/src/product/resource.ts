import { ResourceHead } from '../http/head.ts';
import {
  About,
  IsAnyText,
  IsCurrency,
  IsExact,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  NestedList,
  Nullable,
  OneOf,
} from '../schema/decorators/index.ts';
import { Tax } from '../tax.ts';

export class ProductResource extends ResourceHead {
  @About('Identifier, `prod_…`.') @IsPrefixedId('prod') id: string;
  @About('Kind of resource.') @OneOf(['product']) object: 'product';
  @About('Name of the product.') @IsAnyText(255) name: string;
  @About('Description that lines take; null: they take the name.') @Nullable() @IsAnyText(2000) description: string | null;
  @About('Stock keeping unit; unique in its environment among products that are not deleted.') @Nullable() @IsAnyText(255) sku:
    string | null;
  @About('Unit of measure, UN/ECE code; `C62` is one piece.') @IsAnyText(3) unit: string;
  @About('Price of one unit.') @Nullable() @IsExact() unit_price: number | null;
  @About('ISO 4217 code of the price; null: that of the document.') @Nullable() @IsCurrency() currency: string | null;
  @About('Taxes of its lines; null: the issuer’s default.') @Nullable() @NestedList(() => Tax, { max: 10 }) taxes: Tax[] | null;
  @About('Whether it can be used in new documents.') @IsFlag() active: boolean;
  @About('When it was deleted, UTC; null while it exists.') @Nullable() @IsTimestamp() deleted_at: string | null;
}
