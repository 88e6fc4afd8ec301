import { About, IsAnyText, IsTimestamp, OneOf, Optional } from '../schema/decorators/index.ts';

/** A link that opens without an API key for 15 minutes. */
export class FileResource {
  @About('Kind of resource.') @OneOf(['file']) object: 'file';
  @About('Link that opens without a key.') @IsAnyText(8192) url: string;
  @About('When the link stops working, UTC.') @Optional() @IsTimestamp() expires_at?: string;
}
