import { IsCountry, IsText, Nullable, Optional } from '../decorators/index.ts';

/** In a PATCH a part that is null is removed and one left out is kept. */
export class AddressInput {
  @Optional() @Nullable() @IsText() line1?: string | null;
  @Optional() @Nullable() @IsText() line2?: string | null;
  @Optional() @Nullable() @IsText() city?: string | null;
  @Optional() @Nullable() @IsText(40) postal_code?: string | null;
  @Optional() @Nullable() @IsText() region?: string | null;
  @Optional() @Nullable() @IsCountry() country?: string | null;
}
