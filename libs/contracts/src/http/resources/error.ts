import { IsAnyText, IsPrefixedId, IsWhole, MessagesByField, Nested, Optional } from '../decorators/index.ts';

export class ErrorBody {
  @IsAnyText(64) code: string;
  /** What is wrong and what to do next. */
  @IsAnyText(4000) message: string;
  /** Field path, such as `items.0.quantity`, to what is wrong with it. */
  @Optional() @MessagesByField() details?: Record<string, string[]>;
  @IsPrefixedId('req') request_id: string;
}

export class ErrorResource {
  @Nested(() => ErrorBody) error: ErrorBody;
}

/** RFC 9457, with the same facts; answered to `Accept: application/problem+json`. */
export class ProblemResource {
  @IsAnyText(2048) type: string;
  @IsAnyText(255) title: string;
  @IsWhole({ min: 400, max: 599 }) status: number;
  @IsAnyText(4000) detail: string;
  @IsAnyText(64) code: string;
  @IsPrefixedId('req') request_id: string;
  @Optional() @MessagesByField() details?: Record<string, string[]>;
}
