import { EventResource, type EventTypeResource } from '../webhook/event.ts';
import { webhookEvents, type WebhookEventType, webhookEventTypes } from '../webhook/vocabulary.ts';
import type { Route } from '../http/route.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { type Components, createComponents } from './components.ts';
import { eventExample, resourceOf, subjectOf } from './examples/events.ts';
import { CALLBACKS } from './tags.ts';

/** The requests that webhook endpoints receive, as OpenAPI 3.1 `webhooks`. */
export const webhooksOf = (components: Components): Record<string, object> =>
  Object.fromEntries(webhookEventTypes.map((type) => [type, { post: webhook(type, components) }]));

/** The same as the callback of the route that creates an endpoint: some generators leave out schemas that no path refers to, and take `webhooks` for none. */
export function callbacksOf({ method, path }: Route, components: Components): { callbacks?: object } {
  if (`${method} ${path}` !== 'POST /webhooks') return {};
  const subjects = [...new Set(webhookEventTypes.map(subjectOf))];
  const content = {
    schema: components.response({ union: 'WebhookEvent', anyOf: subjects.map(eventOf) }),
    example: eventExample('invoice.submitted'),
  };
  return { callbacks: { event: { '{$request.body#/url}': { post: received('onEvent', 'Any event.', content) } } } };
}

function webhook(type: WebhookEventType, components: Components): object {
  const subject = subjectOf(type);
  const content = { schema: components.response(eventOf(subject)), example: eventExample(type) };
  return received(`on${capital(subject)}${capital(type.slice(subject.length + 1))}`, `${capital(webhookEvents[type])}.`, content);
}

const received = (operationId: string, summary: string, content: object): object => ({
  operationId,
  tags: [CALLBACKS],
  summary,
  description: 'Sent to every enabled endpoint that subscribes to it. Verify the signature first; see Webhooks.',
  security: [],
  parameters: headers,
  requestBody: { required: true, content: { 'application/json': content } },
  responses: {
    '2XX': { description: 'Delivered: any 2xx within 30 seconds.' },
    '4XX': { description: 'Not delivered, like every other answer and none: it is repeated by the schedule.' },
  },
});

/** The event of a subject, whose data is the resource: `InvoiceEvent`. */
function eventOf(subject: string): Schema {
  const { properties, ...event } = schemaOf(EventResource) as Schema & { properties: Record<string, Schema> };
  const description = `The ${subject} as \`GET\` would have answered right after the event.`;
  return {
    ...event,
    title: `${capital(subject)}Event`,
    properties: { ...properties, data: { ...schemaOf(resourceOf(subject)), description } },
  };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } });
const headers = [
  header('X-Service-Signature', 'Lower-case hex HMAC-SHA-256 of the raw body; the key is the whole secret, `whsec_` included.'),
  header('webhook-id', 'The event’s `id`: the key for dropping duplicates.'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and base64 of an HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`; several are divided by blanks.',
  ),
];

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
