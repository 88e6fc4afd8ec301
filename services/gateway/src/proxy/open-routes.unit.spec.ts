import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentKinds } from '@svc/contracts/documents';
import { serviceNames } from '@svc/contracts/http/route';
import { openRoutes, type RouteName, routes } from '@svc/contracts/routes';

const services = join(import.meta.dirname, '../../..');

/** Routes in the `@Serves` decorators of a service. One with `${kind}` in its path is served for every document. */
function servedBy(service: string): RouteName[] {
  const files = readdirSync(join(services, service, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|(^|\/)testing\//.test(file))
    .map((file) => readFileSync(join(services, service, 'src', file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/@Serves\(['`]([^'`]+)['`]\)/g)].flatMap(([, name = '']) => forEachDocument(name)));
}

const forEachDocument = (name: string): RouteName[] =>
  name.includes('${kind}') ? documentKinds.map((kind) => name.replace('${kind}', kind) as RouteName) : [name as RouteName];

test('a route is marked as served when, and only when, its service serves it', () => {
  const served = serviceNames.flatMap((service) => servedBy(service).map((name) => ({ name, service })));
  expect(served.filter(({ name, service }) => routes[name].service !== service)).toEqual([]);
  expect(served.map(({ name }) => name).sort()).toEqual([...openRoutes].sort());
});
