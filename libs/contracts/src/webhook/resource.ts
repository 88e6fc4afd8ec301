import { ResourceHead } from '../http/head.ts';
import { Live } from '../schema/decorators/metadata.ts';
import {
  About,
  AnyTextList,
  IsAnyText,
  IsFlag,
  IsPrefixedId,
  IsTimestamp,
  IsWhole,
  Nested,
  NestedList,
  Nullable,
  OneOf,
  Optional,
  Personal,
  SomeOf,
} from '../schema/decorators/index.ts';
import {
  type AttemptTrigger,
  attemptTriggers,
  type DeliveryStatus,
  deliveryStatuses,
  endpointHealths,
  type RecoveryStatus,
  recoveryStatuses,
  type EndpointStatus,
  endpointStatuses,
  subscribable,
  type WebhookEventType,
  webhookEventTypes,
} from './vocabulary.ts';

export class EndpointHealth {
  @About('`failing` from the first failed attempt after the last success on.')
  @OneOf(endpointHealths)
  status: (typeof endpointHealths)[number];
  @About('When the first attempt after the last success failed, UTC; null while it is ok.')
  @Live()
  @Nullable()
  @IsTimestamp()
  failing_since: string | null;
  @About('When the endpoint is disabled if no attempt succeeds before, UTC: at the first attempt that fails then; null while it is ok.')
  @Live()
  @Nullable()
  @IsTimestamp()
  disabled_after: string | null;
  @About('When the newest event that arrived was answered, UTC; null if none has arrived within 30 days.')
  @Live()
  @Nullable()
  @IsTimestamp()
  last_success_at: string | null;
  @About('Why the last delivery failed, or the first attempt since it is failing; null if none has within 30 days.')
  @Live()
  @Nullable()
  @IsAnyText(2000)
  last_error: string | null;
}

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

export class EndpointRecovery {
  @About('Events from this moment on, UTC.') @IsTimestamp() since: string;
  @About('Events up to this moment, UTC.') @IsTimestamp() until: string;
  @About('Types of events; null: all that the endpoint listens to.')
  @Nullable()
  @SomeOf(webhookEventTypes, { min: 1, max: webhookEventTypes.length })
  event_types: WebhookEventType[] | null;
  @About('Events without a succeeded delivery when it began.') @IsWhole(COUNT) matched: number;
  @About('Deliveries that are made for them; when it has ended, those that were.') @IsWhole(COUNT) created: number;
  @About('Of these, those that have succeeded.') @IsWhole(COUNT) delivered: number;
  @About('Of these, those that have failed to the end of the schedule.') @IsWhole(COUNT) failed: number;
  @About(
    '`running` until each of its deliveries has ended; `stopped` where some were cancelled, by a request or because the endpoint was disabled.',
  )
  @OneOf(recoveryStatuses)
  status: RecoveryStatus;
}

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
  @About('Whether attempts succeed. It changes without `version`.') @Nested(() => EndpointHealth) health: EndpointHealth;
  @About('Its last recovery; null before the first. It changes without `version`.')
  @Live()
  @Nullable()
  @Nested(() => EndpointRecovery)
  recovery: EndpointRecovery | null;
  @About('Names of the headers of your own that every webhook carries. Their values are not shown.')
  @AnyTextList(64, { max: 10 })
  header_names: string[];
  @About('Most webhooks in a second; null: as many as it bears.') @Nullable() @IsWhole({ min: 1, max: 1_000 }) rate_per_second:
    number | null;
  @About('Key of the signatures. Only in the answers to its creation and to `rotate-secret`.') @Optional() @IsAnyText(64) secret?: string;
  @About('When it was deleted, UTC; null while it exists.') @Optional() @Nullable() @IsTimestamp() deleted_at?: string | null;
}

/** Milliseconds. */
const PHASE = { min: 0, max: 86_400_000 } as const;

export class AttemptPhases {
  @About('Finding the address of the name; null where that was known or not needed.') @Nullable() @IsWhole(PHASE) resolve: number | null;
  @About('Opening a connection; null on one that was open.') @Nullable() @IsWhole(PHASE) connect: number | null;
  @About('Making it secure; null on one that was, and without TLS.') @Nullable() @IsWhole(PHASE) tls: number | null;
  @About('Sending the event, and waiting for the status.') @Nullable() @IsWhole(PHASE) wait: number | null;
  @About('Reading the body, 64 KiB at most.') @Nullable() @IsWhole(PHASE) body: number | null;
}

export class DeliveryAttempt {
  @About('Counts from 1.') @IsWhole({ min: 1, max: 1_000_000 }) n: number;
  @About('When it began, UTC.') @IsTimestamp() at: string;
  @About('How long it took, in milliseconds.') @IsWhole({ min: 0, max: 86_400_000 }) duration_ms: number;
  @About('By the schedule, or asked for.') @OneOf(attemptTriggers) trigger: AttemptTrigger;
  @About('HTTP status of the answer; null without an answer.') @Nullable() @IsWhole({ min: 100, max: 999 }) status_code: number | null;
  @About('Where the time went, in milliseconds; null where a phase was not reached, or for an attempt of release 0.1.0.')
  @Nullable()
  @Nested(() => AttemptPhases)
  phases: AttemptPhases | null;
  @About('Why it failed, in words; null when it succeeded.') @Nullable() @IsAnyText(2000) error: string | null;
  @About('The beginning of the answer: at most 1,024 bytes, whole characters without control characters.')
  @Personal()
  @Nullable()
  @IsAnyText(1024)
  response_body: string | null;
}

export class DeliveryResource {
  @About('Identifier, `whd_…`.') @IsPrefixedId('whd') id: string;
  @About('Kind of resource.') @OneOf(['webhook_delivery']) object: 'webhook_delivery';
  @About('True for a live key, false in the sandbox.') @Optional() @IsFlag() livemode?: boolean;
  @About('Endpoint that it goes to.') @IsPrefixedId('we') endpoint_id: string;
  @About('Event that is delivered.') @IsPrefixedId('evt') event_id: string;
  @About('Type of the event.') @OneOf(webhookEventTypes) event_type: WebhookEventType;
  @About('Whether it arrived.') @OneOf(deliveryStatuses) status: DeliveryStatus;
  @About('When the next attempt is due, UTC; null when none is, and while a recovery sends it after those before it of its resource.')
  @Nullable()
  @IsTimestamp()
  next_attempt_at: string | null;
  @About('Attempts so far.') @NestedList(() => DeliveryAttempt, { max: 1000 }) attempts: DeliveryAttempt[];
  @About('The invoice, receipt or customer of the event.') @IsAnyText(64) resource_id: string;
  @About('When its event happened, UTC: the order of the list.') @IsTimestamp() created_at: string;
}

/** The number of events without a succeeded delivery, and of the deliveries that are made for them. */
export class RecoveryResource {
  @About('Kind of resource.') @OneOf(['recovery']) object: 'recovery';
  @About('Events that the endpoint listens to and of which no delivery to it has succeeded.') @IsWhole(COUNT) matched: number;
  @About(
    'Deliveries that are made for them: those that are pending already are not made again. 0 with `dry_run`; with `stop` those that were made.',
  )
  @IsWhole(COUNT)
  created: number;
  @About('`running` until each of its deliveries has ended; `done` with `dry_run`.')
  @OneOf(recoveryStatuses)
  status: RecoveryStatus;
  @About('True: these are the numbers after two seconds. It goes on to count; with `dry_run` there are at least so many.')
  @Optional()
  @IsFlag()
  counting?: boolean;
}
