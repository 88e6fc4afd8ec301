import { client } from '@svc/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  required?: string[];
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'query' | 'path' | 'header';
  schema: Schema;
}

interface Content {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  /** As in the route table: `GET /invoices/{id}`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  /** Validates a request body. */
  validBody: ValidateFunction | undefined;
  /** The validator of a response, by its status or else by the class of it; undefined when the document has neither. */
  validAnswer(status: number, mediaType: string): ValidateFunction | undefined;
}

/** /openapi.json, interpreted with plain JSON Schema only. */
export interface Published {
  operations: Operation[];
  /** Resolves a reference to its schema. */
  resolve(schema: Schema): Schema;
}

export async function readPublished(origin: string): Promise<Published> {
  return interpreted((await client(origin)<Record<string, never>>('GET', '/openapi.json')).body);
}

/** The same for answers with `Prefer: amounts=string`: what is a double in the document is the text of a decimal. */
export async function readPublishedAsText(origin: string): Promise<Published> {
  const { text } = await client(origin)('GET', '/openapi.json');
  const asText = (_: string, schema: unknown): unknown => {
    const { format, type, ...rest } = (schema ?? {}) as Schema;
    if (format !== 'double') return schema;
    return { ...rest, type: [type].flat().map((one) => (one === 'number' ? 'string' : one)), pattern: '^-?\\d+(\\.\\d+)?$' };
  };
  return interpreted(JSON.parse(text, asText) as Record<string, never>);
}

function interpreted(document: Record<string, never>): Published {
  const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'doc');

  const at = (pointer: string[]): unknown =>
    pointer.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
  const target = (reference: string): string[] => reference.replace('#/', '').split('/');
  const follow = <T extends { $ref?: string }>(value: T, pointer: string[]): [T, string[]] =>
    value.$ref ? follow(at(target(value.$ref)) as T, target(value.$ref)) : [value, pointer];
  const judge = (holder: Content, pointer: string[], mediaType: string): ValidateFunction | undefined => {
    const [content, where] = follow(holder, pointer);
    if (!content.content?.[mediaType]) return undefined;
    const steps = [...where, 'content', mediaType, 'schema'].map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    return ajv.getSchema(`doc#/${steps.join('/')}`) as ValidateFunction;
  };

  const paths = at(['paths']) as Record<
    string,
    Record<string, { parameters?: Parameter[]; requestBody?: Content; responses: Record<string, Content> }>
  >;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const pointer = ['paths', path, method];
      const { parameters = [], requestBody, responses } = operation;
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter) => {
          const [{ schema, ...found }] = follow(parameter, []);
          return { ...found, schema: follow(schema, [])[0] };
        }),
        body: requestBody?.content?.['application/json']?.schema,
        validBody: requestBody && judge(requestBody, [...pointer, 'requestBody'], 'application/json'),
        validAnswer: (status, mediaType) => {
          const name = responses[status] ? String(status) : `${String(status)[0]}XX`;
          return responses[name] && judge(responses[name], [...pointer, 'responses', name], mediaType);
        },
      };
    }),
  );
  return { operations, resolve: (schema) => follow(schema, [])[0] };
}
