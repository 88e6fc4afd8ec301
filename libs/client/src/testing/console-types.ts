import { consoleDocument } from '@svc/contracts/openapi/console-document';
import { routeNames, routes } from '@svc/contracts/routes';
import openapiTS, { astToString } from 'openapi-typescript';

/** Not in the types: texts, and what the client itself sends and reads. */
const LEFT_OUT = new Set(['description', 'summary', 'example', 'examples', 'default', 'pattern', 'format', 'title']);
const KEPT_NAMES = new Set(['properties', 'schemas', 'paths']);

interface Operation {
  operationId?: string;
  parameters?: { in?: string; $ref?: string }[];
  responses?: Record<string, { headers?: object }>;
}

/** The TypeScript of `src/console/generated.ts`: the paths of the dashboard's interface with what is sent, and what they answer on success. */
export async function consoleTypes(): Promise<string> {
  const served = new Set(routeNames.filter((name) => routes[name].served));
  const document = JSON.parse(JSON.stringify(consoleDocument({ served, publicUrl: 'http://localhost', version: 'v1' })));
  decimalsAsTexts(document.components.schemas);
  for (const path of Object.values(document.paths as Record<string, Record<string, Operation>>))
    for (const operation of Object.values(path)) reduce(operation);
  const { components } = document;
  document.components = { schemas: components.schemas };
  return astToString(await openapiTS(withoutTexts(document) as never, { emptyObjectsUnknown: true }));
}

/** Headers are the client's: it sends them with every call. Failures are one class, whatever they are. */
function reduce(operation: Operation): void {
  delete operation.operationId;
  operation.parameters = operation.parameters?.filter((one) => one.in !== 'header' && one.$ref === undefined);
  for (const [status, response] of Object.entries(operation.responses ?? {}))
    if (status.startsWith('2')) delete response.headers;
    else delete operation.responses?.[status];
}

/** The client asks for decimals as texts (`Prefer: amounts=string`), and sends them so: no number of JavaScript holds all their digits. */
function decimalsAsTexts(schemas: Record<string, Schema>): void {
  schemas['Decimal'] = { type: 'string' };
  for (const schema of Object.values(schemas)) asTexts(schema);
}

interface Schema {
  type?: string | string[];
  format?: string;
  [keyword: string]: unknown;
}

function asTexts(schema: Schema): void {
  if (schema.format === 'double') schema.type = Array.isArray(schema.type) ? ['string', 'null'] : 'string';
  for (const inner of Object.values(schema)) if (typeof inner === 'object' && inner !== null) asTexts(inner as Schema);
}

/** Names of fields are kept, whatever they are. */
function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      !isNames && LEFT_OUT.has(name) ? [] : [[name, withoutTexts(inner, !isNames && KEPT_NAMES.has(name))]],
    ),
  );
}
