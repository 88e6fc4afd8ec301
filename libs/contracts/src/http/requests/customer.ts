import { IsEmailAddress, IsLanguage, IsMetadata, IsMetadataPatch, IsText, Nested, Nullable, Optional } from '../decorators/index.ts';
import { AddressInput } from './address.ts';
import type { MetadataInput, MetadataPatch } from './money.ts';

export class CreateCustomer {
  @IsText() name: string;
  @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @Optional() @Nullable() @IsText(50) phone?: string | null;
  /** Of `address.country`, checked where its form is known. */
  @Optional() @Nullable() @IsText(50) tax_id?: string | null;
  @Optional() @Nullable() @IsLanguage() language?: string | null;
  @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396). */
export class UpdateCustomer {
  @Optional() @IsText() name?: string;
  @Optional() @Nullable() @IsEmailAddress() email?: string | null;
  @Optional() @Nullable() @IsText(50) phone?: string | null;
  @Optional() @Nullable() @IsText(50) tax_id?: string | null;
  @Optional() @Nullable() @IsLanguage() language?: string | null;
  @Optional() @Nullable() @Nested(() => AddressInput) address?: AddressInput | null;
  @Optional() @Nullable() @IsMetadataPatch() metadata?: MetadataPatch;
}
