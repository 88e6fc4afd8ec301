import { About, IsAnyText, Nullable, Optional } from '../decorators/index.ts';

export class Address {
  @About('Street and number.') @Optional() @Nullable() @IsAnyText(255) line1?: string | null;
  @About('Addition to the street.') @Optional() @Nullable() @IsAnyText(255) line2?: string | null;
  @About('City.') @Optional() @Nullable() @IsAnyText(255) city?: string | null;
  @About('Postal code.') @Optional() @Nullable() @IsAnyText(255) postal_code?: string | null;
  @About('State, province or region.') @Optional() @Nullable() @IsAnyText(255) region?: string | null;
  @About('ISO 3166-1 alpha-2 country code.') @Optional() @Nullable() @IsAnyText(2) country?: string | null;
}
