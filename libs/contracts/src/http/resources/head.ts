import { IsFlag, KeptMetadata, IsTimestamp, IsWhole } from '../decorators/index.ts';

/** What every top-level resource has beside `id` and `object`. */
export class ResourceHead {
  /** False in the sandbox. */
  @IsFlag() livemode: boolean;
  @IsTimestamp() created_at: string;
  @IsTimestamp() updated_at: string;
  /** Counts from 1; the ETag, and what If-Match is compared with. */
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version: number;
  @KeptMetadata() metadata: Record<string, string>;
}
