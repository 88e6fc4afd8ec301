import { PageQuery } from '../http/page.ts';
import { About, IsMoment, IsText, OneOf, Optional } from '../schema/decorators/index.ts';
import { type DeliveryStatus, deliveryStatuses, type WebhookEventType, webhookEventTypes } from './vocabulary.ts';

export class EventsQuery extends PageQuery {
  @About('Only events of this type.') @Optional() @OneOf(webhookEventTypes) type?: WebhookEventType;
  @About('Only events of this resource.') @Optional() @IsText() resource_id?: string;
  @About('Created on or after this day (in the issuer’s time zone) or moment (UTC).') @Optional() @IsMoment() created_from?: string;
  @About('Created on or before this day (in the issuer’s time zone) or moment (UTC).') @Optional() @IsMoment() created_to?: string;
}

export class DeliveriesQuery extends PageQuery {
  @About('Only deliveries in this status.') @Optional() @OneOf(deliveryStatuses) status?: DeliveryStatus;
  @About('Only deliveries of events of this type.') @Optional() @OneOf(webhookEventTypes) event_type?: WebhookEventType;
}
