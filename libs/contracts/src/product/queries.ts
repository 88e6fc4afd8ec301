import { type CatalogSort, catalogSorts, PageQuery } from '../http/page.ts';
import { About, IsFlag, IsText, OneOf, Optional } from '../schema/decorators/index.ts';

export class ProductsQuery extends PageQuery {
  @About('Only the product with this SKU.') @Optional() @IsText() sku?: string;
  @About('Only products that are active, or are not.') @Optional() @IsFlag() active?: boolean;
  @About('Beginning of the name.') @Optional() @IsText() q?: string;
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(catalogSorts) sort?: CatalogSort;
}
