import { AnyObject, IsAnyText, IsFlag, IsPrefixedId, IsTimestamp, IsWhole, OneOf, Optional } from '../decorators/index.ts';
import { webhookEventTypes } from '../vocabulary.ts';
import type { WebhookEventType } from '../vocabulary.ts';

/** The body that subscribers get. */
export class EventResource {
  @IsPrefixedId('evt') id: string;
  @OneOf(['event']) object: 'event';
  @OneOf(webhookEventTypes) type: WebhookEventType;
  @IsTimestamp() created_at: string;
  @IsFlag() livemode: boolean;
  /** `data.version`. */
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) sequence: number;
  /** The invoice, receipt or customer as GET would have answered right after the event. */
  @AnyObject() data: Record<string, unknown>;
  /** True in a sample. */
  @Optional() @IsFlag() test?: boolean;
}

export class EventTypeResource {
  @OneOf(['event_type']) object: 'event_type';
  @OneOf(webhookEventTypes) type: WebhookEventType;
  @IsAnyText(255) description: string;
}
