import { IsFlag, IsText, OneOf, Optional } from '../decorators/index.ts';
import { PageQuery, sortable } from './page.ts';

const sorts = sortable('created_at', 'name');
export type CatalogSort = `${'' | '-'}${'created_at' | 'name'}`;

export class CustomersQuery extends PageQuery {
  @Optional() @IsText() email?: string;
  @Optional() @IsText() tax_id?: string;
  /** Beginning of the name. */
  @Optional() @IsText() q?: string;
  /** `true`: the deleted alone; `all`: both; left out or `false`: those that are not deleted. */
  @Optional() @OneOf(['true', 'false', 'all']) deleted?: 'true' | 'false' | 'all';
  @Optional() @OneOf(sorts) sort?: CatalogSort;
}

export class ProductsQuery extends PageQuery {
  @Optional() @IsText() sku?: string;
  @Optional() @IsFlag() active?: boolean;
  /** Beginning of the name. */
  @Optional() @IsText() q?: string;
  @Optional() @OneOf(sorts) sort?: CatalogSort;
}
