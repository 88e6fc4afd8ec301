import { About, IsFlag, IsTimestamp, IsWhole, KeptMetadata } from '../schema/decorators/index.ts';

/** The fields of every top-level resource besides `id` and `object`. */
export class ResourceHead {
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('When it was created, UTC.') @IsTimestamp() created_at: string;
  @About('When it last changed, UTC.') @IsTimestamp() updated_at: string;
  @About('Counts changes from 1. The `ETag`, and what `If-Match` is compared with.')
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER })
  version: number;
  @KeptMetadata() metadata: Record<string, string>;
}
