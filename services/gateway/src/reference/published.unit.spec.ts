import { openApiDocument } from '@svc/contracts/openapi/document';
import { exampleOf } from '@svc/contracts/openapi/examples/index';
import { resourceIn } from '@svc/contracts/http/batch';
import { openRoutes, routeNames, routes } from '@svc/contracts/routes';

const text = JSON.stringify(openApiDocument({ served: openRoutes, publicUrl: 'https://api.example', version: 'v1' }));

test('the document has no route, authority or report that is not served', () => {
  const open = new Set([...openRoutes].map((name) => routes[name].path));
  const closed = routeNames.map((name) => routes[name].path).filter((path) => !open.has(path));
  expect(closed.filter((path) => new RegExp(`${path.replaceAll(/[{}]/g, '\\$&')}["\`\\s]`).test(text))).toEqual([]);
  for (const later of ['hu-nav', 'pl-ksef']) expect(text).not.toMatch(new RegExp(later));
});

test('every served route has an example of its body and of its response', () => {
  const bare = [...openRoutes].flatMap((name) => {
    const { body, response } = routes[name];
    return [body, resourceIn(response) ?? response].flatMap((shape) => (shape && !exampleOf(shape) ? [`${name}: ${shape.name}`] : []));
  });
  expect(bare).toEqual([]);
});
