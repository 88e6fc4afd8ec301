import { About, IsFlag, IsText, OneOf, Optional } from '../decorators/index.ts';
import { PageQuery, sortable } from './page.ts';

const sorts = sortable('created_at', 'name');
export type CatalogSort = `${'' | '-'}${'created_at' | 'name'}`;

export class CustomersQuery extends PageQuery {
  @About('Only customers with this email address.') @Optional() @IsText() email?: string;
  @About('Only customers with this tax identification number.') @Optional() @IsText() tax_id?: string;
  @About('Beginning of the name.') @Optional() @IsText() q?: string;
  @About('`true`: only deleted ones; `all`: both; left out or `false`: those that are not deleted.')
  @Optional()
  @OneOf(['true', 'false', 'all'])
  deleted?: 'true' | 'false' | 'all';
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(sorts) sort?: CatalogSort;
}

export class ProductsQuery extends PageQuery {
  @About('Only the product with this SKU.') @Optional() @IsText() sku?: string;
  @About('Only products that are active, or are not.') @Optional() @IsFlag() active?: boolean;
  @About('Beginning of the name.') @Optional() @IsText() q?: string;
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(sorts) sort?: CatalogSort;
}
