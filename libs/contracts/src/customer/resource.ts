import { Address } from '../address.ts';
import { type CustomerKind, customerKinds, MOST_TAX_IDS, TaxId, type TaxIdKind, taxIdKinds } from '../tax-id.ts';
import { ResourceHead } from '../http/head.ts';
import {
  About,
  IsAnyText,
  IsPrefixedId,
  IsTimestamp,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Personal,
} from '../schema/decorators/index.ts';

/** After erasure every personal field is null. */
export class CustomerResource extends ResourceHead {
  @About('Identifier, `cust_…`.') @IsPrefixedId('cust') id: string;
  @About('Kind of resource.') @OneOf(['customer']) object: 'customer';
  @About('Name of the person or company; null once erased.') @Personal() @Nullable() @IsAnyText(255) name: string | null;
  @About('Email address; null when none or erased.') @Personal() @Nullable() @IsAnyText(255) email: string | null;
  @About('Telephone number.') @Personal() @Nullable() @IsAnyText(255) phone: string | null;
  @About('Tax identification number in the country of the address.') @Personal() @Nullable() @IsAnyText(255) tax_id: string | null;
  @About('What kind of number `tax_id` is; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(taxIdKinds)
  tax_id_kind?: TaxIdKind | null;
  @About('Whether it is a business or a private person; absent where it was not given.')
  @Optional()
  @Nullable()
  @OneOf(customerKinds)
  kind?: CustomerKind | null;
  @About('Further numbers; none once erased.') @Personal() @Optional() @NestedList(() => TaxId, { max: MOST_TAX_IDS }) tax_ids?: TaxId[];
  @About('BCP 47 language tag, such as `es-ES`.') @Nullable() @IsAnyText(35) language: string | null;
  @About('Postal address.') @Personal() @Nullable() @Nested(() => Address) address: Address | null;
  @About('When it was deleted, UTC; null while it exists.') @Nullable() @IsTimestamp() deleted_at: string | null;
  @About('When its personal data were destroyed, UTC; null while they are kept.') @Nullable() @IsTimestamp() erased_at: string | null;
}
