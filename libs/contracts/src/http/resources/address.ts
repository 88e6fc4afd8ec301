import { IsAnyText, Nullable, Optional } from '../decorators/index.ts';

export class Address {
  @Optional() @Nullable() @IsAnyText(255) line1?: string | null;
  @Optional() @Nullable() @IsAnyText(255) line2?: string | null;
  @Optional() @Nullable() @IsAnyText(255) city?: string | null;
  @Optional() @Nullable() @IsAnyText(255) postal_code?: string | null;
  @Optional() @Nullable() @IsAnyText(255) region?: string | null;
  @Optional() @Nullable() @IsAnyText(2) country?: string | null;
}
