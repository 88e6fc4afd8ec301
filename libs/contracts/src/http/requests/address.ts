import { About, IsCountry, IsText, Nullable, Optional } from '../decorators/index.ts';

/** In a PATCH a part that is null is removed and one left out is kept. */
export class AddressInput {
  @About('Street and number.') @Optional() @Nullable() @IsText() line1?: string | null;
  @About('Addition to the street.') @Optional() @Nullable() @IsText() line2?: string | null;
  @About('City.') @Optional() @Nullable() @IsText() city?: string | null;
  @About('Postal code.') @Optional() @Nullable() @IsText(40) postal_code?: string | null;
  @About('State, province or region.') @Optional() @Nullable() @IsText() region?: string | null;
  @About('ISO 3166-1 alpha-2 country code.') @Optional() @Nullable() @IsCountry() country?: string | null;
}
