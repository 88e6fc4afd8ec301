import { type CatalogSort, catalogSorts, PageQuery } from '../http/page.ts';
import { About, IsText, OneOf, Optional } from '../schema/decorators/index.ts';

export class CustomersQuery extends PageQuery {
  @About('Only customers with this email address.') @Optional() @IsText() email?: string;
  @About('Only customers with this tax identification number.') @Optional() @IsText() tax_id?: string;
  @About('Beginning of the name.') @Optional() @IsText() q?: string;
  @About('`true`: only deleted ones; `all`: both; left out or `false`: those that are not deleted.')
  @Optional()
  @OneOf(['true', 'false', 'all'])
  deleted?: 'true' | 'false' | 'all';
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(catalogSorts) sort?: CatalogSort;
}
