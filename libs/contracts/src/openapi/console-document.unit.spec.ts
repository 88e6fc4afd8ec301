import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { consoleRouteNames, consoleRoutes } from '../console/routes.ts';
import { routeNames } from '../routes.ts';
import { problemsOf } from '../schema/problems.ts';
import { consoleDocument } from './console-document.ts';
import { consoleFailures } from './failures.ts';
import { exampleOf } from './examples/index.ts';
import { type Json, objectsIn, undescribed } from './testing/objects-in.ts';

interface Operation {
  operationId: string;
  description: string;
  parameters: { name?: string }[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, { content?: Record<string, Json>; $ref?: string }>;
}
interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
}
const document = JSON.parse(
  JSON.stringify(consoleDocument({ served: new Set(routeNames), publicUrl: 'https://api.example', version: 'v1' })),
) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const namesOf = (of: Operation): (string | undefined)[] => of.parameters.map(({ name }) => name);

test('has every route of the dashboard, and every one of the API but the rotation of the caller’s own key', () => {
  const mirrored = routeNames.filter((name) => name !== 'POST /api-keys/rotate').map((name) => name.replace(' /', ' /console/v1/'));
  expect(operations.map(({ name }) => name).sort()).toEqual([...consoleRouteNames, ...mirrored].sort());
});

test('has a name of its own for each operation, and a description for each field, parameter, header and response', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(undescribed(document)).toEqual([]);
});

test('has every component that it refers to', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(refs.filter(([, kind = '', name = '']) => !Object.hasOwn(document.components[kind] ?? {}, name))).toEqual([]);
});

test('says of each write where it may come from, and of each route of one environment that it has to be named', () => {
  for (const { name, operation } of operations) {
    const row = consoleRoutes[name as keyof typeof consoleRoutes];
    expect([name, namesOf(operation).includes('Origin')]).toEqual([name, !name.startsWith('GET ')]);
    expect([name, namesOf(operation).includes('X-Livemode')]).toEqual([name, row ? row.livemode === true : true]);
  }
});

test('has an answer of its own for who is not signed in and for who may not, with each code', () => {
  for (const { operation } of operations)
    expect([operation.responses['401']?.$ref, operation.responses['403']?.$ref]).toEqual([
      '#/components/responses/Unauthorized',
      '#/components/responses/Forbidden',
    ]);
  for (const { codes } of Object.values(consoleFailures))
    for (const code of Object.keys(codes)) expect(JSON.stringify(document.components.responses)).toContain(`\`${code}\``);
  expect(document.paths['/console/v1/webhooks/{id}']?.patch?.description).toContain('step_up_required');
});

test('has an example of every body and every answer of the dashboard', () => {
  const without = consoleRouteNames.filter((name) => {
    const { body, response } = consoleRoutes[name];
    return !exampleOf(response) || (body && !exampleOf(body));
  });
  expect(without).toEqual([]);
  for (const name of consoleRouteNames) {
    const { body } = consoleRoutes[name];
    if (body) expect([name, problemsOf(body, exampleOf(body))]).toEqual([name, undefined]);
  }
});

test('has examples that are valid by the schema beside them', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true }));
  ajv.addSchema({ $id: 'doc', ...document }, 'doc');
  const wrong = [...objectsIn(document)]
    .filter(([, object]) => 'example' in object && 'schema' in object)
    .map(([path, { example }]) => {
      const steps = [...path, 'schema'].map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
      const validate = ajv.getSchema(`doc#/${steps.join('/')}`);
      return [path.join(' '), validate?.(example), validate?.errors ?? null];
    })
    .filter(([, fits]) => fits !== true);
  expect(wrong).toEqual([]);
});
