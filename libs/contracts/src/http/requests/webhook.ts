import {
  IsFlag,
  IsMetadata,
  IsMetadataPatch,
  IsText,
  IsTimestamp,
  IsWhole,
  Nullable,
  OneOf,
  Optional,
  SomeOf,
  Together,
} from '../decorators/index.ts';
import type { Condition } from '../decorators/index.ts';
import { endpointStatuses, webhookEventTypes } from '../vocabulary.ts';
import type { EndpointStatus, WebhookEventType } from '../vocabulary.ts';
import type { MetadataInput, MetadataPatch } from './money.ts';

const subscribable = [...webhookEventTypes, '*'] as const;

const allOrSome: Condition = {
  schema: {
    if: { required: ['events'], properties: { events: { type: 'array', contains: { const: '*' } } } },
    then: { properties: { events: { maxItems: 1 } } },
  },
  problem: ({ events }) =>
    Array.isArray(events) && events.includes('*') && events.length > 1
      ? ['events', 'Send either names of events, or "*" alone, which is all of them.']
      : undefined,
};

@Together(allOrSome)
export class CreateWebhook {
  @IsText(2048) url: string;
  @SomeOf(subscribable, { min: 1, max: 10 }) events: (WebhookEventType | '*')[];
  @Optional() @Nullable() @IsText(2000) description?: string | null;
  @Optional() @IsMetadata() metadata?: MetadataInput;
}

/** A JSON merge patch (RFC 7396); events are replaced whole. */
@Together(allOrSome)
export class UpdateWebhook {
  @Optional() @IsText(2048) url?: string;
  @Optional() @SomeOf(subscribable, { min: 1, max: 10 }) events?: (WebhookEventType | '*')[];
  @Optional() @Nullable() @IsText(2000) description?: string | null;
  @Optional() @OneOf(endpointStatuses) status?: EndpointStatus;
  @Optional() @Nullable() @IsMetadataPatch() metadata?: MetadataPatch;
}

export class RotateSecret {
  /** How long the old secret goes on signing; 86,400 when left out. */
  @Optional() @IsWhole({ min: 0, max: 604_800 }) grace_period_seconds?: number;
}

export class TestWebhook {
  @OneOf(webhookEventTypes) event_type: WebhookEventType;
}

export class RecoverWebhook {
  /** At most 30 days back. */
  @IsTimestamp() since: string;
  @Optional() @Nullable() @IsTimestamp() until?: string | null;
  @Optional() @Nullable() @SomeOf(webhookEventTypes, { min: 1, max: 10 }) event_types?: WebhookEventType[] | null;
  @Optional() @IsFlag() dry_run?: boolean;
}
