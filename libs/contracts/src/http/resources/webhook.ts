import {
  IsAnyText,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
} from '../decorators/index.ts';
import { attemptTriggers, deliveryStatuses, endpointStatuses, webhookEventTypes } from '../vocabulary.ts';
import type { AttemptTrigger, DeliveryStatus, EndpointStatus, WebhookEventType } from '../vocabulary.ts';
import { ResourceHead } from './head.ts';

export class WebhookEndpointResource extends ResourceHead {
  @IsPrefixedId('we') id: string;
  @OneOf(['webhook_endpoint']) object: 'webhook_endpoint';
  @IsAnyText(2048) url: string;
  @SomeOf([...webhookEventTypes, '*'], { min: 1, max: 10 }) events: (WebhookEventType | '*')[];
  @Nullable() @IsAnyText(2000) description: string | null;
  @OneOf(endpointStatuses) status: EndpointStatus;
  @Nullable() @IsAnyText(2000) disabled_reason: string | null;
  /** Only in the answers of creation and of rotate-secret. */
  @Optional() @IsAnyText(64) secret?: string;
  @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}

export class DeliveryAttempt {
  @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @IsTimestamp() at: string;
  @IsWhole({ min: 0, max: 86_400_000 }) duration_ms: number;
  @OneOf(attemptTriggers) trigger: AttemptTrigger;
  @Nullable() @IsWhole({ min: 100, max: 999 }) status_code: number | null;
  @Nullable() @IsAnyText(2000) error: string | null;
  /** The first 1,024 bytes. */
  @Nullable() @IsAnyText(1024) response_body: string | null;
}

export class DeliveryResource {
  @IsPrefixedId('whd') id: string;
  @OneOf(['webhook_delivery']) object: 'webhook_delivery';
  @Optional() @IsFlag() livemode?: boolean;
  @IsPrefixedId('we') endpoint_id: string;
  @IsPrefixedId('evt') event_id: string;
  @OneOf(webhookEventTypes) event_type: WebhookEventType;
  @OneOf(deliveryStatuses) status: DeliveryStatus;
  @Nullable() @IsTimestamp() next_attempt_at: string | null;
  @NestedList(() => DeliveryAttempt, { max: 1000 }) attempts: DeliveryAttempt[];
  @Optional() @IsTimestamp() created_at?: string;
}

/** How many events have no succeeded delivery, and how many deliveries were made for them. */
export class RecoveryResource {
  @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER }) matched: number;
  @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER }) created: number;
}
