import { About, IsAnyText, IsCountry, IsText, OneOf } from './schema/decorators/index.ts';
import { vocabulary } from './schema/vocabulary.ts';

export const taxIdKinds = vocabulary('TaxIdKind', ['vat', 'national', 'passport', 'other']);
export type TaxIdKind = (typeof taxIdKinds)[number];

/** Who a customer is, where the authority distinguishes them. */
export const customerKinds = vocabulary('CustomerKind', ['business', 'person']);
export type CustomerKind = (typeof customerKinds)[number];

/** So many beside `tax_id`. */
export const MOST_TAX_IDS = 10;

const COUNTRY = 'ISO 3166-1 alpha-2 code of the country that gave the number.';
const KIND =
  '`vat`: a VAT identifier, which UBL states; `national`: another tax number of a company or of a person; `passport`; `other`: such as of a register.';

export class TaxIdInput {
  @About(COUNTRY) @IsCountry() country: string;
  @About('The number. `vat` and `national` are checked as `tax_id` is.') @IsText(50) value: string;
  @About(KIND) @OneOf(taxIdKinds) kind: TaxIdKind;
}

export class TaxId {
  @About(COUNTRY) @IsAnyText(2) country: string;
  @About('The number, as it was sent.') @IsAnyText(255) value: string;
  @About(KIND) @OneOf(taxIdKinds) kind: TaxIdKind;
}
