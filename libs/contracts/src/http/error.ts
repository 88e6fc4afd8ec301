import type { IssueParams, IssueRule } from '@svc/kernel';
import {
  About,
  AnyObject,
  IsAnyText,
  IsPrefixedId,
  IsWhole,
  MessagesByField,
  Nested,
  NestedList,
  OneOf,
  Optional,
} from '../schema/decorators/index.ts';
import { issueRuleNames } from './issue-rules.ts';

/** A problem of a field for programs, so that they can say it in another language. */
export class ErrorIssue {
  @About('Field path, such as `items.0.quantity`, as in `details`.') @IsAnyText(255) field: string;
  @About('Kind of the problem; see Errors. Later releases may add some.') @OneOf(issueRuleNames) rule: IssueRule;
  @About('Values of the rule, such as `{"max": 255}` or `{"nearest": "unit_price"}`; never values of the request.')
  @AnyObject()
  params: IssueParams;
}

/** At most a hundred fields, with a few messages each. */
const MOST_ISSUES = 1_000;

export class ErrorBody {
  @About('Machine-readable code; see Errors.') @IsAnyText(64) code: string;
  @About('What is wrong and what to do next.') @IsAnyText(4000) message: string;
  @About('Field path, such as `items.0.quantity`, to messages about that field. At most 100 fields.')
  @Optional()
  @MessagesByField()
  details?: Record<string, string[]>;
  @About('The same as `details` for programs: one for each message, in their order.')
  @Optional()
  @NestedList(() => ErrorIssue, { min: 1, max: MOST_ISSUES })
  issues?: ErrorIssue[];
  @About('Identifier of the request, the same as in `X-Request-Id`.') @IsPrefixedId('req') request_id: string;
}

export class ErrorResource {
  @About('What is wrong.') @Nested(() => ErrorBody) error: ErrorBody;
}

/** The same error in the form of RFC 9457, for `Accept: application/problem+json`. */
export class ProblemResource {
  @About('Address of the page about this code.') @IsAnyText(2048) type: string;
  @About('Short name of the problem.') @IsAnyText(255) title: string;
  @About('HTTP status.') @IsWhole({ min: 400, max: 599 }) status: number;
  @About('What is wrong and what to do next.') @IsAnyText(4000) detail: string;
  @About('Machine-readable code; see Errors.') @IsAnyText(64) code: string;
  @About('Identifier of the request, the same as in `X-Request-Id`.') @IsPrefixedId('req') request_id: string;
  @About('Field path, such as `items.0.quantity`, to messages about that field. At most 100 fields.')
  @Optional()
  @MessagesByField()
  details?: Record<string, string[]>;
  @About('The same as `details` for programs: one for each message, in their order.')
  @Optional()
  @NestedList(() => ErrorIssue, { min: 1, max: MOST_ISSUES })
  issues?: ErrorIssue[];
}
