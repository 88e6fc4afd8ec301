import type { Schema } from '../schema/decorators/rule.ts';
import type { EventTypeResource } from '../webhook/event.ts';
import { webhookEvents, type WebhookEventType } from '../webhook/vocabulary.ts';
import { createComponents } from './components.ts';
import { eventExample, subjectOf } from './examples/events.ts';
import { eventOf } from './webhooks.ts';

/** Public events are `invoicing.invoice-created.v1`: no shape of them has changed so far. */
const VERSION = 1;

/** A type of webhook events, with the schema and an example of what is sent. */
export const eventTypeOf = (type: WebhookEventType): EventTypeResource => ({
  object: 'event_type',
  type,
  description: webhookEvents[type],
  version: VERSION,
  schema: schemaOfEvent(type),
  example: { ...eventExample(type) },
});

/** The schema in the API's document, as a document of its own. */
function schemaOfEvent(type: WebhookEventType): Schema {
  const components = createComponents();
  const event = components.response(eventOf(subjectOf(type)));
  const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...event, $defs: components.schemas };
  return JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')) as Schema;
}
