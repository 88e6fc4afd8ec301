import { About, IsAnyText, IsCountry, IsText, Nullable, Optional } from './schema/decorators/index.ts';

/** In a PATCH null removes a part; a part that is left out is kept. */
export class AddressInput {
  @About('Street and number.') @Optional() @Nullable() @IsText() line1?: string | null;
  @About('Addition to the street.') @Optional() @Nullable() @IsText() line2?: string | null;
  @About('City.') @Optional() @Nullable() @IsText() city?: string | null;
  @About('Postal code.') @Optional() @Nullable() @IsText(40) postal_code?: string | null;
  @About('State, province or region.') @Optional() @Nullable() @IsText() region?: string | null;
  @About('ISO 3166-1 alpha-2 country code.') @Optional() @Nullable() @IsCountry() country?: string | null;
}

export class Address {
  @About('Street and number.') @Optional() @Nullable() @IsAnyText(255) line1?: string | null;
  @About('Addition to the street.') @Optional() @Nullable() @IsAnyText(255) line2?: string | null;
  @About('City.') @Optional() @Nullable() @IsAnyText(255) city?: string | null;
  @About('Postal code.') @Optional() @Nullable() @IsAnyText(255) postal_code?: string | null;
  @About('State, province or region.') @Optional() @Nullable() @IsAnyText(255) region?: string | null;
  @About('ISO 3166-1 alpha-2 country code.') @Optional() @Nullable() @IsAnyText(2) country?: string | null;
}
