/** What the reference reads of an OpenAPI 3.1 document. */
export interface OpenApi {
  info: { title: string; description?: string };
  servers?: readonly { url: string }[];
  tags?: readonly { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> } & Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: Body | Reference;
  responses: Record<string, Answer | Reference>;
}

interface Reference {
  $ref: string;
}
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
}
interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value?: unknown }>;
}
export interface Body {
  required?: boolean;
  content: Record<string, Media>;
}
export interface Answer {
  description?: string;
  content?: Record<string, Media>;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  [keyword: string]: unknown;
}

/** The part of the document that `node` stands for. Throws where a reference leads nowhere. */
export function resolved<Node extends object>(document: OpenApi, node: Node | Reference): Node {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as Node;
  const found = node.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((inside, step) => (inside as Record<string, unknown>)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (found === undefined) throw new TypeError(`${node.$ref} is not in the document`);
  return resolved(document, found as Node | Reference);
}

/** The name of the schema that a reference leads to. */
export const nameOf = ({ $ref }: { $ref?: string }): string | undefined => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options']);
export interface Listed {
  method: string;
  /** With the path of the server: `/v1/invoices`. */
  path: string;
  operation: Operation;
  tag: string;
}

/** Every operation in the order of the document. */
export function operationsOf({ paths, servers }: OpenApi): Listed[] {
  const base = basePath(servers?.[0]?.url);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: base + path,
        operation,
        tag: operation.tags?.[0] ?? path.split('/')[1] ?? '',
      })),
  );
}

const basePath = (url = ''): string => (/^https?:\/\/[^/]+(\/.*)?$/.exec(url)?.[1] ?? '').replace(/\/$/, '');
/** Of the first server, without a trailing slash. */
export const originOf = ({ servers }: OpenApi): string => /^https?:\/\/[^/]+/.exec(servers?.[0]?.url ?? '')?.[0] ?? '';
