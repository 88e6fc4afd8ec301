import { type RouteName, routeNames, routes } from '@svc/contracts/routes';
import { createRouteTable, interfacePath } from './route-table.ts';

describe('the route table', () => {
  const table = createRouteTable(routes, new Set(routeNames));

  test('finds every route of the interface by its path and method', () => {
    for (const name of routeNames) {
      const { method, path } = routes[name];
      expect(table(path.replaceAll(/\{\w+\}/g, 'x_1'))?.methods.get(method)?.name).toBe(name);
    }
  });

  test('has no routes that are not served', () => {
    const some = createRouteTable(routes, new Set<RouteName>(['POST /invoices/{id}/submit']));
    expect(some('/invoices/x/submit')?.allow).toBe('POST');
    for (const path of ['/invoices', '/invoices/x', '/invoices/x/void', '/invoices/x/submit/more', '/', '', 'invoices'])
      expect(some(path)).toBeUndefined();
  });

  test('property names of Object are ordinary paths', () => {
    for (const path of ['/constructor', '/__proto__', '/invoices/__proto__/x']) expect(table(path)).toBeUndefined();
  });
});

test.each([
  ['/v1/invoices', '/invoices'],
  ['/v1/invoices/?a=1', '/invoices'],
  ['/v1/invoices#x', '/invoices'],
  ['/v1', ''],
  ['/v1/', ''],
  ['/v1?x', ''],
  ['/%76%31/invoices', '/invoices'],
  ['/v1/a%2Fb', '/a%2Fb'],
  ['/v1/%zz', '/%zz'],
  ['http://host:80/v1/invoices', '/invoices'],
  ['/v10/invoices', undefined],
  ['/V1/invoices', undefined],
  ['/', undefined],
  ['/docs', undefined],
])('%s is %s of the interface', (url, path) => {
  expect(interfacePath(url)).toBe(path);
});
