import { CustomerResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { AddressInput } from '../address.ts';
import { type CustomerKind, customerKinds, MOST_TAX_IDS, TaxIdInput, type TaxIdKind, taxIdKinds } from '../tax-id.ts';
import { batchOf } from '../http/batch.ts';
import { type CatalogSort, catalogSorts, PageQuery } from '../http/page.ts';
import {
  About,
  IsEmailAddress,
  IsLanguage,
  OwnMetadata,
  MetadataChange,
  IsText,
  type MetadataInput,
  type MetadataPatch,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SeveralTexts,
  SeveralWholeTexts,
} from '../schema/decorators/index.ts';

const TAX_ID =
  'Tax identification number of `address.country`, of a company or of a person, with or without prefix and separators. Check digits are checked where a rule of the country’s companies is known; elsewhere, and where the authority itself does not keep them, any number passes. UBL states it as VAT identifier where it has the form of one.';

const TAX_ID_KIND =
  'What kind of number `tax_id` is, where the authority wants to know; a passport and another number have no rule of a country.';
const KIND = '`business`, or `person` for a private one; null: not known.';

const TAX_IDS =
  'Further numbers, also of other countries than the address: the German VAT identifier of a Swiss company. The list is replaced whole, null empties it. `tax_id` is not among them, and filters find that alone.';

@Writes(() => CustomerResource)
export class CreateCustomer {
  @About('Name of the person or company.') @IsText() name: string;
  @About('Email address.') @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @About('Telephone number.') @Optional() @Nullable() @IsText(50) phone?: string | null;
  @About(TAX_ID) @Optional() @Nullable() @IsText(50) tax_id?: string | null;
  @About(TAX_ID_KIND) @Optional() @Nullable() @OneOf(taxIdKinds) tax_id_kind?: TaxIdKind | null;
  @About(KIND) @Optional() @Nullable() @OneOf(customerKinds) kind?: CustomerKind | null;
  @About(TAX_IDS)
  @Optional()
  @Nullable()
  @NestedList(() => TaxIdInput, { max: MOST_TAX_IDS })
  tax_ids?: TaxIdInput[] | null;
  @About('BCP 47 language tag, such as `es-ES`.') @Optional() @Nullable() @IsLanguage() language?: string | null;
  @About('Postal address.') @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @OwnMetadata('They stay when the customer is erased: no personal data.') metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396). */
@Writes(() => CustomerResource)
export class UpdateCustomer {
  @About('Name of the person or company.') @Optional() @IsText() name?: string;
  @About('Email address.') @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @About('Telephone number.') @Optional() @Nullable() @IsText(50) phone?: string | null;
  @About(TAX_ID) @Optional() @Nullable() @IsText(50) tax_id?: string | null;
  @About(TAX_ID_KIND) @Optional() @Nullable() @OneOf(taxIdKinds) tax_id_kind?: TaxIdKind | null;
  @About(KIND) @Optional() @Nullable() @OneOf(customerKinds) kind?: CustomerKind | null;
  @About(TAX_IDS)
  @Optional()
  @Nullable()
  @NestedList(() => TaxIdInput, { max: MOST_TAX_IDS })
  tax_ids?: TaxIdInput[] | null;
  @About('BCP 47 language tag, such as `es-ES`.') @Optional() @Nullable() @IsLanguage() language?: string | null;
  @About('Postal address: parts that are given are merged, null removes it.')
  @Optional()
  @Nullable()
  @Nested(() => AddressInput)
  address?: AddressInput | null;
  @MetadataChange('They stay when the customer is erased: no personal data.') metadata?: MetadataPatch;
}
export const CreateCustomers = batchOf(CreateCustomer);
export type CreateCustomers = InstanceType<typeof CreateCustomers>;

export class CustomersQuery extends PageQuery {
  @About('Only customers with one of these email addresses, whatever their case. An address with commas is found as well.')
  @Optional()
  @SeveralWholeTexts()
  email?: string[];
  @About('Only customers with one of these as `tax_id`; case, spaces, dots, dashes and slashes do not count.')
  @Optional()
  @SeveralTexts()
  tax_id?: string[];
  @About(
    'Only those whose name has words that begin so, all of them (of a name the first eight words count), by Unicode case folding: `STRASSE` finds `Große Straße`; or whose `tax_id` is this. More than 10,000 matches are 400.',
  )
  @Optional()
  @IsText()
  q?: string;
  @About('`true`: only deleted ones; `all`: both; left out or `false`: those that are not deleted.')
  @Optional()
  @OneOf(['true', 'false', 'all'])
  deleted?: 'true' | 'false' | 'all';
  @About('Order; `-` in front is descending. Newest first when left out.') @Optional() @OneOf(catalogSorts) sort?: CatalogSort;
}
