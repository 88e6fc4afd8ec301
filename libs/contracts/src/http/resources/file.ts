import { IsAnyText, IsTimestamp, OneOf, Optional } from '../decorators/index.ts';

/** A link that opens without a key, for 15 minutes. */
export class FileResource {
  @OneOf(['file']) object: 'file';
  @IsAnyText(8192) url: string;
  @Optional() @IsTimestamp() expires_at?: string;
}
