import { IsMoment, IsText, OneOf, Optional } from '../decorators/index.ts';
import { deliveryStatuses, webhookEventTypes } from '../vocabulary.ts';
import type { DeliveryStatus, WebhookEventType } from '../vocabulary.ts';
import { PageQuery } from './page.ts';

export class EventsQuery extends PageQuery {
  @Optional() @OneOf(webhookEventTypes) type?: WebhookEventType;
  @Optional() @IsText() resource_id?: string;
  @Optional() @IsMoment() created_from?: string;
  @Optional() @IsMoment() created_to?: string;
}

export class DeliveriesQuery extends PageQuery {
  @Optional() @OneOf(deliveryStatuses) status?: DeliveryStatus;
  @Optional() @OneOf(webhookEventTypes) event_type?: WebhookEventType;
}
