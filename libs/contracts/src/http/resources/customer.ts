import { IsAnyText, IsPrefixedId, IsTimestamp, Nested, Nullable, OneOf } from '../decorators/index.ts';
import { Address } from './address.ts';
import { ResourceHead } from './head.ts';

/** Once erased, every personal field is null for good. */
export class CustomerResource extends ResourceHead {
  @IsPrefixedId('cust') id: string;
  @OneOf(['customer']) object: 'customer';
  @Nullable() @IsAnyText(255) name: string | null;
  @Nullable() @IsAnyText(255) email: string | null;
  @Nullable() @IsAnyText(255) phone: string | null;
  @Nullable() @IsAnyText(255) tax_id: string | null;
  @Nullable() @IsAnyText(35) language: string | null;
  @Nullable() @Nested(() => Address) address: Address | null;
  @Nullable() @IsTimestamp() deleted_at: string | null;
  @Nullable() @IsTimestamp() erased_at: string | null;
}
