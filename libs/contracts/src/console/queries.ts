import { PageQuery } from '../http/page.ts';
import { RequestsQuery } from '../request/query.ts';
import { About, IsMoment, IsText, IsWhole, OneOf, Optional } from '../schema/decorators/index.ts';

export class AuditQuery extends PageQuery {
  @About('Identifier of the actor.') @Optional() @IsText() actor?: string;
  @About('What was done, such as `api_key.created`.') @Optional() @IsText() action?: string;
  @About('Identifier of what it was done to.') @Optional() @IsText() target?: string;
  @About('From this day or moment on.') @Optional() @IsMoment() from?: string;
  @About('Up to this day or moment, inclusive.') @Optional() @IsMoment() to?: string;
}

/** Validation fills in both defaults. */
export class JobsQuery {
  @About('Page number, from 1.') @Optional() @IsWhole({ min: 1, max: 1_000_000_000, default: 1 }) page: number;
  @About('Items per page.') @Optional() @IsWhole({ min: 1, max: 20, default: 20 }) per_page: number;
}

export class GroupedRequestsQuery extends RequestsQuery {
  @About('Only this route, such as `POST /v1/invoices`.') @Optional() @IsText() route?: string;
  @About('Only requests of which this field was named; `none`: that named none.') @Optional() @IsText() field?: string;
}

export class CountsQuery {
  @About('Which documents.') @OneOf(['invoices']) of: 'invoices';
  @About('By which field.') @OneOf(['status', 'payment_status', 'fiscal_status']) by: 'status' | 'payment_status' | 'fiscal_status';
}

export class SearchQuery {
  @About('Part of a number, word of a name, tax id, e-mail, fiscal code, id or exact amount.') @IsText() q: string;
}

export class StatsQuery {
  @About('Hours up to now: 24 or 168.') @OneOf(['24', '168']) hours: '24' | '168';
}
