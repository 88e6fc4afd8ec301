import { PageQuery } from '../http/page.ts';
import { About, IsMoment, IsText, Optional, SeveralOf, SeveralTexts } from '../schema/decorators/index.ts';

export class RequestsQuery extends PageQuery {
  @About('Only answers of these statuses.') @Optional() @SeveralTexts() status?: string[];
  @About('Only these methods.') @Optional() @SeveralOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) method?: string[];
  @About('Only this path, whole and without its query.') @Optional() @IsText() path?: string;
  @About('Only requests of this key.') @Optional() @IsText() key_id?: string;
  @About('Only these codes of errors.') @Optional() @SeveralTexts() code?: string[];
  @About('From this day (UTC) or moment on.') @Optional() @IsMoment() from?: string;
  @About('Up to this day (UTC) or moment, inclusive.') @Optional() @IsMoment() to?: string;
}
