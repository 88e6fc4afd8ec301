import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routeNames, routes } from '../routes.ts';
import { ajvOfAll } from '../schema/ajv.ts';
import type { Class } from '../schema/class.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { problemsOf } from '../schema/problems.ts';
import { webhookEventTypes } from '../webhook/vocabulary.ts';
import { openApiDocument } from './document.ts';
import { exampleOf, examplesOf } from './examples/index.ts';
import { failures } from './failures.ts';
import { type Json, objectsIn, undescribed } from './testing/objects-in.ts';

const document = JSON.parse(
  JSON.stringify(openApiDocument({ served: new Set(routeNames), publicUrl: 'https://api.example', version: 'v1' })),
) as Json & { info: { description: string }; webhooks: Record<string, { post: Json }> };

describe('the published document is complete', () => {
  test('every field, parameter, header and response has a description', () => {
    expect(undescribed(document)).toEqual([]);
  });

  test('a closed list that may be null lists null: JSON Schema judges a value by both keywords', () => {
    const closed = [...objectsIn(document)].filter(([, { type, enum: values }]) => Array.isArray(values) && [type].flat().includes('null'));
    expect(closed.map(([path]) => path.at(-1))).toContain('authority');
    expect(closed.filter(([, { enum: values }]) => !(values as unknown[]).includes(null))).toEqual([]);
  });

  test('every error code is in the chapter on errors and in the responses of its status', () => {
    const { responses } = document.components as { responses: Record<string, { description: string }> };
    for (const [status, { name, codes }] of Object.entries(failures)) {
      const { description } = responses[name] ?? responses[status < '500' ? 'ClientError' : 'ServerError'] ?? {};
      for (const code of Object.keys(codes)) {
        expect(document.info.description).toContain(`| \`${code}\` |`);
        expect(description).toContain(`\`${code}\``);
      }
    }
  });

  test.each(['Authentication', 'Environments and the sandbox', 'Idempotency', 'Rate limits', 'Errors', 'Webhooks'])(
    'it has a chapter on %s',
    (chapter) => {
      expect(document.info.description).toContain(`\n# ${chapter}\n`);
    },
  );

  test('has the ten webhooks, each with its data, headers and a valid example', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes]);
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ $id: 'doc', ...document }, 'doc');
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { content } = post.requestBody as { content: Record<string, { schema: Schema; example: Json }> };
      const { example } = content['application/json'] as { example: Json };
      const validate = ajv.getSchema(`doc#/webhooks/${type}/post/requestBody/content/application~1json/schema`);
      expect([type, validate?.(example), validate?.errors ?? null]).toEqual([type, true, null]);
      expect(validate?.({ ...example, data: { ...(example.data as Json), id: 'evt_1' } })).toBe(false);
      expect((post.parameters as { name: string }[]).map(({ name }) => name)).toContain('X-Service-Signature');
    }
  });
});

describe('examples', () => {
  const shapes = new Map<string, Class>(
    routeNames.flatMap((name) => [routes[name].response, routes[name].body ?? []].flat().map((shape) => [shape.name, shape] as const)),
  );
  const shown = [...shapes].filter(([, shape]) => exampleOf(shape));

  test.each(shown)('of %s are valid by its class', (_, shape) => {
    expect(ajvOfAll().validate(schemaOf(shape), exampleOf(shape)) ? null : ajvOfAll().errors).toBeNull();
  });

  test('of requests of several kinds are valid', () => {
    const several = shown.flatMap(([name, shape]) =>
      Object.entries(examplesOf(shape) ?? {}).map(([kind, { value }]) => [name, kind, value, shape] as const),
    );
    expect(several.map(([name, kind, value, shape]) => [name, kind, problemsOf(shape, value)])).toEqual(
      several.map(([name, kind]) => [name, kind, undefined]),
    );
    expect(several.length).toBeGreaterThan(2);
  });

  test('of requests are valid', () => {
    for (const [, shape] of shown)
      if (routeNames.some((name) => routes[name].body === shape)) expect(problemsOf(shape, exampleOf(shape))).toBeUndefined();
    expect(shown.length).toBeGreaterThan(25);
  });

  test('of an erasure has null in every field that is encrypted under the customer’s key', () => {
    const paths = document.paths as Record<string, { post: { responses: Record<string, { content: Record<string, { example: Json }> }> } }>;
    const example = paths['/customers/{id}/erase']?.post.responses['200']?.content['application/json']?.example;
    expect(example).toMatchObject({ name: null, email: null, phone: null, tax_id: null, address: null, deleted_at: example?.erased_at });
    expect(example?.erased_at).toMatch(/Z$/);
  });

  test('in the document are valid by the schema beside them', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true }));
    ajv.addSchema({ $id: 'doc', ...document }, 'doc');
    const checked = [...objectsIn(document)]
      .filter(([, object]) => 'example' in object && 'schema' in object)
      .map(([path, { example }]) => {
        const validate = ajv.getSchema(
          `doc#/${[...path, 'schema'].map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
        );
        return [path.join(' '), validate?.(example), validate?.errors ?? null];
      });
    expect(checked.length).toBeGreaterThan(60);
    expect(checked.filter(([, fits]) => fits !== true)).toEqual([]);
  });
});
