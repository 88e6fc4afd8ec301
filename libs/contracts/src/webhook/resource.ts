import { ResourceHead } from '../http/head.ts';
import {
  About,
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
} from '../schema/decorators/index.ts';
import {
  type AttemptTrigger,
  attemptTriggers,
  type DeliveryStatus,
  deliveryStatuses,
  type EndpointStatus,
  endpointStatuses,
  subscribable,
  type WebhookEventType,
  webhookEventTypes,
} from './vocabulary.ts';

export class WebhookEndpointResource extends ResourceHead {
  @About('Identifier, `we_…`.') @IsPrefixedId('we') id: string;
  @About('Kind of resource.') @OneOf(['webhook_endpoint']) object: 'webhook_endpoint';
  @About('Where events are sent.') @IsAnyText(2048) url: string;
  @About('Types of events that are sent to it; `["*"]` is all of them.')
  @SomeOf(subscribable, { min: 1, max: webhookEventTypes.length })
  events: (WebhookEventType | '*')[];
  @About('Your own description.') @Nullable() @IsAnyText(2000) description: string | null;
  @About('Whether events are sent.') @OneOf(endpointStatuses) status: EndpointStatus;
  @About('Why it was disabled; null while it is enabled.') @Nullable() @IsAnyText(2000) disabled_reason: string | null;
  @About('Key of the signatures. Only in the answer to its creation.') @Optional() @IsAnyText(64) secret?: string;
  @About('When it was deleted, UTC; null while it exists.') @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}

export class DeliveryAttempt {
  @About('Counts from 1.') @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @About('When it began, UTC.') @IsTimestamp() at: string;
  @About('How long it took, in milliseconds.') @IsWhole({ min: 0, max: 86_400_000 }) duration_ms: number;
  @About('By the schedule, or asked for.') @OneOf(attemptTriggers) trigger: AttemptTrigger;
  @About('HTTP status of the answer; null without an answer.') @Nullable() @IsWhole({ min: 100, max: 999 }) status_code: number | null;
  @About('Why it failed without an answer; null when there was one.') @Nullable() @IsAnyText(2000) error: string | null;
  @About('The first 1,024 bytes of the answer.') @Nullable() @IsAnyText(1024) response_body: string | null;
}

export class DeliveryResource {
  @About('Identifier, `whd_…`.') @IsPrefixedId('whd') id: string;
  @About('Kind of resource.') @OneOf(['webhook_delivery']) object: 'webhook_delivery';
  @About('True for a live key, false in the sandbox.') @Optional() @IsFlag() livemode?: boolean;
  @About('Endpoint that it goes to.') @IsPrefixedId('we') endpoint_id: string;
  @About('Event that is delivered.') @IsPrefixedId('evt') event_id: string;
  @About('Type of the event.') @OneOf(webhookEventTypes) event_type: WebhookEventType;
  @About('Whether it arrived.') @OneOf(deliveryStatuses) status: DeliveryStatus;
  @About('When the next attempt is due, UTC; null when none is.') @Nullable() @IsTimestamp() next_attempt_at: string | null;
  @About('Attempts so far.') @NestedList(() => DeliveryAttempt, { max: 1000 }) attempts: DeliveryAttempt[];
  @About('When it was created, UTC.') @Optional() @IsTimestamp() created_at?: string;
}

/** The number of events without a succeeded delivery, and of the deliveries created for them. */
export class RecoveryResource {
  @About('Events without a succeeded delivery.') @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER }) matched: number;
  @About('Deliveries made for them.') @IsWhole({ min: 0, max: Number.MAX_SAFE_INTEGER }) created: number;
}
