import { About, AnyObject, IsAnyText, IsFlag, IsPrefixedId, IsTimestamp, IsWhole, OneOf, Optional } from '../schema/decorators/index.ts';
import { type WebhookEventType, webhookEventTypes } from './vocabulary.ts';

/** The body that webhook endpoints receive. */
export class EventResource {
  @About('Identifier, `evt_…`: the key for dropping duplicates.') @IsPrefixedId('evt') id: string;
  @About('Kind of resource.') @OneOf(['event']) object: 'event';
  @About('What happened.') @OneOf(webhookEventTypes) type: WebhookEventType;
  @About('When it happened, UTC.') @IsTimestamp() created_at: string;
  @About('True for a live key, false in the sandbox.') @IsFlag() livemode: boolean;
  @About('`data.version`: orders the events of one resource.') @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) sequence: number;
  @About('The invoice, receipt or customer as `GET` would have answered right after the event.') @AnyObject() data: Record<string, unknown>;
  @About('True in a sample.') @Optional() @IsFlag() test?: boolean;
}

export class EventTypeResource {
  @About('Kind of resource.') @OneOf(['event_type']) object: 'event_type';
  @About('Name of the type.') @OneOf(webhookEventTypes) type: WebhookEventType;
  @About('When it is sent.') @IsAnyText(255) description: string;
  @About('Counts changes of its shape that a receiver has to know; new fields are none.') @IsWhole({ min: 1, max: 1_000 }) version: number;
  @About('JSON Schema (2020-12) of the event as it is sent. Receivers pass over fields that it does not have.') @AnyObject() schema: Record<
    string,
    unknown
  >;
  @About('An event of the type, as `POST /v1/webhooks/{id}/test` sends it.') @AnyObject() example: Record<string, unknown>;
}
