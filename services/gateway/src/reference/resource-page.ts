import { codesOfStatus } from './error-pages.ts';
import type { Block, PageContent } from './blocks.ts';
import { fieldsOf, typeOf, type Homes } from './fields.ts';
import {
  nameOf,
  originOf,
  resolved,
  type Answer,
  type Body,
  type Listed,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
} from './openapi.ts';
import { samplesOf } from './samples.ts';

const JSON_TYPE = 'application/json';

export interface Resource {
  tag: string;
  operations: readonly Listed[];
  events: readonly { type: string; operation: Operation }[];
}

/** The operations and events of each tag, in the order of the document. */
export function resourcesOf(document: OpenApi, operations: readonly Listed[]): Resource[] {
  const events = Object.entries(document.webhooks ?? {}).flatMap(([type, methods]) =>
    Object.values(methods).map((operation) => ({ type, operation, tag: operation.tags?.[0] ?? 'webhooks' })),
  );
  const tags = [...new Set([...operations, ...events].map(({ tag }) => tag))];
  return tags.map((tag) => ({
    tag,
    operations: operations.filter((one) => one.tag === tag),
    events: events.filter((one) => one.tag === tag),
  }));
}

export const titleOf = (tag: string): string => (tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ')).replace(/^Api\b/, 'API');
export const pathOf = (tag: string): string => `/${tag}`;

/** What an operation answers with, by the name of its schema, and where that has its section: on the page of the first operation that answers with it. */
export function homesOf(document: OpenApi, resources: readonly Resource[]): Map<string, string> {
  const homes = new Map<string, string>();
  for (const { tag, operations } of resources)
    for (const { operation } of operations) {
      const name = nameOf(answerOf(document, operation)?.schema ?? {});
      if (name !== undefined && !homes.has(name)) homes.set(name, `/docs${pathOf(tag)}#${name}`);
    }
  return homes;
}

/** The successful answer. */
function answerOf(document: OpenApi, { responses }: Operation): { status: string; schema?: Schema; example?: unknown } | undefined {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (status === undefined || answer === undefined) return undefined;
  const { schema, example } = resolved<Answer>(document, answer).content?.[JSON_TYPE] ?? {};
  return { status, ...(schema && { schema }), example };
}

/** `/docs/<tag>`: its operations, the events of the tag, and the sections of what the operations answer with. */
export function resourcePage(document: OpenApi, { tag, operations, events }: Resource, homes: Homes): PageContent {
  const about = document.tags?.find(({ name }) => name === tag)?.description ?? '';
  const own = [...homes].filter(([, home]) => home.startsWith(`/docs${pathOf(tag)}#`)).map(([name]) => name);
  const listed = operations.map(({ method, path, operation }) => [
    `\`${method} ${path}\``,
    `[${operation.summary ?? operation.operationId}](/docs${pathOf(tag)}#${operation.operationId})`,
  ]);
  return {
    path: pathOf(tag),
    title: titleOf(tag),
    about,
    blocks: [
      ...(about ? [{ kind: 'text', text: about } as const] : []),
      ...(listed.length > 0 ? [{ kind: 'table', head: ['request', 'what it does'], rows: listed } as const] : []),
      ...operations.flatMap((listing) => operationBlocks(document, listing, homes)),
      ...(events.length > 0 ? [{ kind: 'heading', level: 2, text: 'Events', id: 'events' } as const] : []),
      ...events.flatMap(({ type, operation }) => eventBlocks(document, type, operation, homes)),
      ...own.flatMap((name) => schemaBlocks(document, name, homes)),
    ],
  };
}

function operationBlocks(document: OpenApi, { method, path, operation }: Listed, homes: Homes): Block[] {
  const { operationId: id, summary = id, description = '' } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one));
  const body = operation.requestBody && resolved<Body>(document, operation.requestBody).content[JSON_TYPE];
  const [first] = Object.values(body?.examples ?? {});
  const example = body && ('example' in body ? body.example : first?.value);
  const answer = answerOf(document, operation);
  return [
    { kind: 'heading', level: 2, text: summary.replace(/\.$/, ''), id },
    { kind: 'code', language: 'http', code: `${method} ${path}` },
    { kind: 'text', text: description },
    ...group(
      'Parameters',
      parameters.length > 0 && { kind: 'fields', fields: parameters.map((one) => parameterField(document, id, one, homes)) },
    ),
    ...(body?.schema ? bodyBlocks(document, `${id}.body`, body.schema, homes) : []),
    {
      kind: 'samples',
      id: `${id}-sample`,
      samples: samplesOf({ method, url: urlOf(document, path, parameters), ...(body && { body: example ?? {} }) }),
    },
    ...Object.entries(body?.examples ?? {})
      .slice(1)
      .map(([name, { summary: kind = name, value }]): Block => ({ kind: 'details', summary: kind, blocks: [json(value)] })),
    ...(answer ? answerBlocks(document, id, answer, homes) : []),
    ...errorBlocks(operation, path),
  ];
}

const group = (title: string, block: Block | false): Block[] => (block ? [{ kind: 'text', text: `**${title}**` }, block] : []);
const json = (value: unknown): Block => ({ kind: 'code', language: 'json', code: JSON.stringify(value, null, 2) });

const parameterField = (
  document: OpenApi,
  id: string,
  { name, in: where, required, description = '', schema = {} }: Parameter,
  homes: Homes,
) => ({
  id: `${id}.${where}.${name}`,
  name,
  type: `in the ${where}, ${typeOf(schema, { document, homes })}`,
  isRequired: required === true,
  about: description || (schema.description ?? ''),
  fields: [],
});

/** Fields of the body, or what it is where it has none. */
function bodyBlocks(document: OpenApi, id: string, schema: Schema, homes: Homes): Block[] {
  const fields = fieldsOf(schema, { document, homes, id, around: [] });
  return fields.length > 0 ? group('Body', { kind: 'fields', fields }) : [{ kind: 'text', text: '**Body**: `{}`, or none.' }];
}

function answerBlocks(
  document: OpenApi,
  id: string,
  { status, schema, example }: NonNullable<ReturnType<typeof answerOf>>,
  homes: Homes,
): Block[] {
  if (!schema) return [];
  const isNamed = homes.has(nameOf(schema) ?? '');
  const fields = isNamed ? [] : fieldsOf(schema, { document, homes, id: `${id}.answer`, around: [] });
  return [
    { kind: 'text', text: `**Answer**: ${status}, ${typeOf(schema, { document, homes })}` },
    ...(fields.length > 0 ? [{ kind: 'fields', fields } as const] : []),
    ...(example === undefined ? [] : [{ kind: 'details', summary: 'Example of the answer', blocks: [json(example)] } as const]),
  ];
}

function errorBlocks({ responses, requestBody }: Operation, path: string): Block[] {
  const links = codesOfStatus(Object.keys(responses), { hasBody: requestBody !== undefined, hasId: path.includes('{') }).map(
    ({ status, code }) => `${status} [\`${code}\`](/docs/errors/${code})`,
  );
  return [{ kind: 'text', text: `**Errors**: ${links.join(', ')}` }];
}

function eventBlocks(document: OpenApi, type: string, operation: Operation, homes: Homes): Block[] {
  const { content } = operation.requestBody ? resolved<Body>(document, operation.requestBody) : { content: {} as Body['content'] };
  const { schema, example } = content[JSON_TYPE] ?? {};
  const headers = (operation.parameters ?? []).map((one) => resolved<Parameter>(document, one));
  return [
    { kind: 'heading', level: 3, text: `\`${type}\``, id: type },
    { kind: 'text', text: `${operation.summary ?? ''}\n\n${operation.description ?? ''}` },
    {
      kind: 'details',
      summary: 'Headers and fields',
      blocks: [
        { kind: 'fields', fields: headers.map((one) => parameterField(document, type, one, homes)) },
        { kind: 'fields', fields: fieldsOf(schema ?? {}, { document, homes, id: `${type}.body`, around: [] }) },
      ],
    },
    ...(example === undefined ? [] : [{ kind: 'details', summary: 'Example', blocks: [json(example)] } as const]),
  ];
}

function schemaBlocks(document: OpenApi, name: string, homes: Homes): Block[] {
  const schema = document.components.schemas?.[name] ?? {};
  return [
    { kind: 'heading', level: 2, text: `Fields of \`${name}\``, id: name },
    ...(schema.description ? [{ kind: 'text', text: schema.description } as const] : []),
    { kind: 'fields', fields: fieldsOf(schema, { document, homes, id: name, around: [name] }) },
  ];
}

/** With a value for every part of the path, and for what the query needs. */
function urlOf(document: OpenApi, path: string, parameters: readonly Parameter[]): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `${path.split('/')[2] ?? ''}_…`);
  const query = parameters.filter(({ in: where, required }) => where === 'query' && required).map(({ name }) => `${name}=…`);
  return `${originOf(document)}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

const ids: Record<string, string> = { id: 'ID', pay: 'PAYMENT_ID', whd: 'DELIVERY_ID', report: 'sales', code: 'CODE' };
