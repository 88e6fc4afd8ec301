import { About, IsAnyText, OneOf } from '../schema/decorators/index.ts';

/** What a draft or a preview is warned of. It can be submitted all the same, unless the message says otherwise. */
export const warningCodes = [
  'rate_below_one',
  'price_is_zero',
  'due_date_passed',
  'customer_deleted',
  'customer_name_missing',
  'customer_country_missing',
  'customer_country_unassigned',
  'customer_tax_id_missing',
] as const;
export type WarningCode = (typeof warningCodes)[number];
/** Of one document; those beyond are omitted. */
export const MOST_WARNINGS = 100;

/** Something that is allowed and probably not meant, or that is missing for a conforming electronic invoice. */
export class Warning {
  @About('Field that it is about, such as `items.0.taxes.0.rate` or, of the customer, `customer.address.country`.')
  @IsAnyText(100)
  field: string;
  @About('What it is.') @OneOf(warningCodes) code: WarningCode;
  @About('What is odd or missing, and what to do about it.') @IsAnyText(500) message: string;
}
