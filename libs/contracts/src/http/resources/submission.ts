import { About, IsAnyText, OneOf } from '../decorators/index.ts';

/** Answer to a resolution by hand; the document follows. */
export class SubmissionResource {
  @About('Kind of resource.') @OneOf(['submission']) object: 'submission';
  @About('Identifier of the document.') @IsAnyText(64) document_id: string;
  @About('What became of the submission.')
  @OneOf(['registered', 'not_registered', 'rejected', 'pending', 'unknown', 'needs_review'])
  status: string;
}
