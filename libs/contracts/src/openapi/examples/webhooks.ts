import { PageQuery } from '../../http/page.ts';
import type { Class } from '../../schema/class.ts';
import {
  CreateWebhook,
  DeliveriesQuery,
  EventsQuery,
  RecoverWebhook,
  RotateSecret,
  TestWebhook,
  UpdateWebhook,
  WebhooksQuery,
} from '../../webhook/requests.ts';
import { ids } from './ids.ts';

const since = '2026-03-01T00:00:00.000Z';
const range = { created_from: '2026-03-01', created_to: '2026-03-01T23:59:59.999Z' };
const page = { page: 1, per_page: 50 };
const count = { since, dry_run: true };
const change = { events: ['*'], headers: { 'X-Shop-Key': 'a value of yours' }, rate_per_second: 50 };
const rotation = { grace_period_seconds: 86_400 };

/** Of requests for endpoints, and of the parameters of their lists. */
export const webhookExamples: readonly (readonly [Class, object])[] = [
  [CreateWebhook, { url: 'https://shop.example/hooks', events: ['invoice.submitted', 'invoice.failed'], description: 'Shop' }],
  [UpdateWebhook, change],
  [RotateSecret, rotation],
  [TestWebhook, { event_type: 'invoice.submitted' }],
  [RecoverWebhook, count],
  [PageQuery, page],
  [WebhooksQuery, { ...page, deleted: 'false' }],
  [
    DeliveriesQuery,
    {
      ...{ ...page, status: ['failed', 'cancelled'], event_type: ['invoice.submitted', 'invoice.failed'] },
      ...{ event_id: [ids.evt], resource_id: [ids.inv], ...range },
    },
  ],
  [
    EventsQuery,
    { ...page, type: ['invoice.submitted', 'invoice.failed'], resource_id: [ids.inv], ...range, ...{ after: ids.evt, wait: 25 } },
  ],
];

/** Requests of several kinds, in an order in which they can be sent. `standard` is the example of the class. */
export const webhookKinds: readonly (readonly [Class, Readonly<Record<string, { summary: string; value: object }>>])[] = [
  [
    UpdateWebhook,
    {
      standard: { summary: 'Send all events, with a header of yours, 50 in a second', value: change },
      disable: { summary: 'Send nothing more', value: { status: 'disabled' } },
    },
  ],
  [
    RotateSecret,
    {
      standard: { summary: 'The old secret goes on signing for a day', value: rotation },
      at_once: { summary: 'The old secret has leaked: it signs no more', value: { grace_period_seconds: 0 } },
    },
  ],
  [
    RecoverWebhook,
    {
      standard: { summary: 'Count what is missing', value: count },
      part: {
        summary: 'Deliver what is missing of a time and of some types',
        value: { since, until: '2026-03-01T09:00:00.000Z', event_types: ['invoice.submitted', 'invoice.failed'] },
      },
      all: { summary: 'Deliver all that is missing', value: { since } },
      stop: { summary: 'End the recovery that runs', value: { stop: true } },
    },
  ],
];
