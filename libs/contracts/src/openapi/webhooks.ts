import { CustomerResource } from '../customer/resource.ts';
import { type DocumentKind, documents } from '../documents.ts';
import { EventResource } from '../webhook/event.ts';
import { webhookEvents, type WebhookEventType, webhookEventTypes } from '../webhook/vocabulary.ts';
import type { Components } from './components.ts';
import { exampleOf } from './examples/index.ts';

const resourceOf = (subject: string) => (subject === 'customer' ? CustomerResource : documents[subject as DocumentKind].resource);

/** The requests that webhook endpoints receive, as OpenAPI 3.1 `webhooks`. */
export const webhooksOf = (components: Components): Record<string, object> =>
  Object.fromEntries(webhookEventTypes.map((type) => [type, { post: webhook(type, components) }]));

function webhook(type: WebhookEventType, components: Components): object {
  const [subject = '', verb = ''] = type.split('.');
  const resource = resourceOf(subject);
  const data = { ...components.response(resource), description: `The ${subject} as \`GET\` would have answered right after the event.` };
  const schema = {
    allOf: [
      components.response(EventResource),
      { type: 'object', properties: { type: { const: type, description: 'What happened.' }, data } },
    ],
  };
  return {
    operationId: `on${capital(subject)}${capital(verb)}`,
    tags: ['webhooks'],
    summary: `${capital(webhookEvents[type])}.`,
    description: 'Sent to every enabled endpoint that subscribes to it. Verify the signature first; see Webhooks.',
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema, example: eventExample(type) } } },
    responses: { '2XX': { description: 'Any 2xx within 30 seconds: delivered. Everything else is repeated by the schedule.' } },
  };
}

/** An example of a webhook event. */
function eventExample(type: WebhookEventType): object {
  const data = exampleOf(resourceOf(type.split('.')[0] ?? '')) as { version: number };
  return { ...exampleOf(EventResource), type, sequence: data.version, data };
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
