import { WebhookEndpointResource } from './resource.ts';
import { Writes } from '../schema/decorators/metadata.ts';
import { CREATED_FROM, CREATED_TO, PageQuery } from '../http/page.ts';
import {
  About,
  type Condition,
  IsFlag,
  IsHeaders,
  IsHeadersPatch,
  IsLines,
  OwnMetadata,
  MetadataChange,
  IsMoment,
  IsSentTimestamp,
  IsText,
  IsWhole,
  type MetadataInput,
  type MetadataPatch,
  Nullable,
  OneOf,
  Optional,
  SeveralOf,
  SeveralTexts,
  SomeOf,
  Together,
} from '../schema/decorators/index.ts';
import {
  type DeliveryStatus,
  deliveryStatuses,
  type EndpointStatus,
  endpointStatuses,
  subscribable,
  type WebhookEventType,
  webhookEventTypes,
} from './vocabulary.ts';

const HEADERS =
  'Headers of your own that every webhook carries, such as `Authorization`: at most 10, names of at most 64 characters, values of at most 1,000 in ASCII. Their values are not shown again.';
const RATE = 'Most webhooks in a second; without it, as many as the endpoint bears.';

const allOrSome: Condition = {
  rule: '`events` has either names of events, or `*` alone.',
  problem: ({ events }) =>
    Array.isArray(events) && events.includes('*') && events.length > 1
      ? ['events', 'Send either names of events, or "*" alone, which is all of them.']
      : undefined,
};

@Together(allOrSome)
@Writes(() => WebhookEndpointResource)
export class CreateWebhook {
  @About('Where events are sent: https, reachable from the public internet, port 443 or from 1024 on.') @IsText(2048) url: string;
  @About('Types of events that are sent to it; `["*"]` is all of them.')
  @SomeOf(subscribable, { min: 1, max: webhookEventTypes.length })
  events: (WebhookEventType | '*')[];
  @About('Your own description.') @Optional() @Nullable() @IsLines() description?: string | null;
  @OwnMetadata() metadata?: MetadataInput;
  @About(HEADERS) @Optional() @IsHeaders() headers?: MetadataInput;
  @About(RATE) @Optional() @Nullable() @IsWhole({ min: 1, max: 1_000 }) rate_per_second?: number | null;
}

/** A JSON merge patch (RFC 7396); events are replaced whole. */
@Together(allOrSome)
@Writes(() => WebhookEndpointResource)
export class UpdateWebhook {
  @About('Where events are sent: https, reachable from the public internet, port 443 or from 1024 on.')
  @Optional()
  @IsText(2048)
  url?: string;
  @About('Types of events that are sent to it; `["*"]` is all of them.')
  @Optional()
  @SomeOf(subscribable, { min: 1, max: webhookEventTypes.length })
  events?: (WebhookEventType | '*')[];
  @About('Your own description.') @Optional() @Nullable() @IsLines() description?: string | null;
  @About('Whether events are sent.') @Optional() @OneOf(endpointStatuses) status?: EndpointStatus;
  @MetadataChange() metadata?: MetadataPatch;
  @About(`${HEADERS} Merged: null as a value removes a header, null in place of all removes all.`)
  @Optional()
  @Nullable()
  @IsHeadersPatch()
  headers?: MetadataPatch;
  @About(RATE) @Optional() @Nullable() @IsWhole({ min: 1, max: 1_000 }) rate_per_second?: number | null;
}

export class RotateSecret {
  @About('Seconds for which the old secret goes on signing; 86,400 without it. 0: no earlier secret signs any more.')
  @Optional()
  @IsWhole({ min: 0, max: 604_800 })
  grace_period_seconds?: number;
}

export class TestWebhook {
  @About('Type of the sample that is sent.') @OneOf(webhookEventTypes) event_type: WebhookEventType;
}

const sinceOrStop: Condition = {
  rule: 'Send `since`, or `stop` alone.',
  problem: ({ since, stop, ...others }) => {
    if (stop !== true) return since === undefined ? ['since', 'This field is required: from when on events are recovered.'] : undefined;
    return since !== undefined || Object.keys(others).length > 0 ? ['stop', 'Send it alone: it ends the recovery that runs.'] : undefined;
  },
};

@Together(sinceOrStop)
export class RecoverWebhook {
  @About('Events from this moment on (RFC 3339, cut to milliseconds); at most 30 days back. Needed but for `stop`.')
  @Optional()
  @IsSentTimestamp()
  since?: string;
  @About('Events up to this moment (RFC 3339, cut to milliseconds); now when left out.') @Optional() @Nullable() @IsSentTimestamp() until?:
    string | null;
  @About('Types of events; all when left out.')
  @Optional()
  @Nullable()
  @SomeOf(webhookEventTypes, { min: 1, max: webhookEventTypes.length })
  event_types?: WebhookEventType[] | null;
  @About('True: count only.') @Optional() @IsFlag() dry_run?: boolean;
  @About('True, without any other field: end the recovery that runs, and cancel what waits.') @Optional() @IsFlag() stop?: boolean;
}

export class WebhooksQuery extends PageQuery {
  @About('`true`: only deleted ones, as long as their deliveries are kept; `false`, as without it: those that are not deleted.')
  @Optional()
  @OneOf(['true', 'false'])
  deleted?: 'true' | 'false';
}

export class EventsQuery extends PageQuery {
  @About('Only events of one of these types.') @Optional() @SeveralOf(webhookEventTypes) type?: WebhookEventType[];
  @About('Only events of one of these resources.') @Optional() @SeveralTexts() resource_id?: string[];
  @About(CREATED_FROM) @Optional() @IsMoment() created_from?: string;
  @About(CREATED_TO) @Optional() @IsMoment() created_to?: string;
  @About(
    'Follow the events: those that were stored after this one, oldest first. It is not among them. An event of yours that is still kept, else 400; without `page`.',
  )
  @Optional()
  @IsText()
  after?: string;
  @About(
    'With `after`: wait up to so many seconds for the next event, where there is none yet. Where 100 requests of the account wait already, or too many of all accounts, the answer comes at once.',
  )
  @Optional()
  @IsWhole({ min: 0, max: 25 })
  wait?: number;
}

export class DeliveriesQuery extends PageQuery {
  @About('Only deliveries in one of these statuses.') @Optional() @SeveralOf(deliveryStatuses) status?: DeliveryStatus[];
  @About('Only deliveries of events of one of these types.')
  @Optional()
  @SeveralOf(webhookEventTypes)
  event_type?: WebhookEventType[];
  @About('Only deliveries of one of these events.') @Optional() @SeveralTexts() event_id?: string[];
  @About('Only deliveries of events of one of these resources.') @Optional() @SeveralTexts() resource_id?: string[];
  @About('Created on or after this day (UTC) or moment (RFC 3339, cut to milliseconds).') @Optional() @IsMoment() created_from?: string;
  @About('Created on or before this day (UTC) or moment (RFC 3339, cut to milliseconds).') @Optional() @IsMoment() created_to?: string;
}
