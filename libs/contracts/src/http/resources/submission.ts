import { IsAnyText, OneOf } from '../decorators/index.ts';

/** Answer to a resolution by hand; the document follows. */
export class SubmissionResource {
  @OneOf(['submission']) object: 'submission';
  @IsAnyText(64) document_id: string;
  @OneOf(['registered', 'not_registered', 'rejected', 'pending', 'unknown', 'needs_review']) status: string;
}
