import { permissions } from './account/vocabulary.ts';
import { NoQuery } from './http/none.ts';
import { serviceNames } from './http/route.ts';
import { routeNames, routes } from './routes.ts';

describe('the route table', () => {
  test('has every route of the interface', () => {
    expect(routeNames).toHaveLength(75);
    expect(routes['GET /invoices/{id}']).toMatchObject({
      method: 'GET',
      path: '/invoices/{id}',
      permission: 'invoices:read',
      ok: 200,
      service: 'invoicing',
    });
    expect(routes['POST /invoices/batch/submit']).toMatchObject({
      cost: ['submit'],
      bodyLimit: 1024 * 1024,
      permission: 'invoices:submit',
    });
    expect(routes['GET /reports/{report}']).toMatchObject({ cost: ['reports'], service: 'reporting' });
  });

  test.each(routeNames)('%s is complete', (name) => {
    const { method, path, permission, ok, service, body, query, bodyLimit, summary } = routes[name];
    expect(`${method} ${path}`).toBe(name);
    expect(path).toMatch(/^\/[a-z-]+(\/([a-z-]+|\{(id|pay|whd|code|report)\}))*$/);
    expect([...permissions, null]).toContain(permission);
    expect(serviceNames).toContain(service);
    expect(body !== undefined).toBe(['POST', 'PUT', 'PATCH'].includes(method));
    expect(query === NoQuery || method === 'GET' || name === 'POST /invoices/preview').toBe(true);
    expect(bodyLimit).toBe(path.includes('/batch') ? 1024 * 1024 : 256 * 1024);
    expect(ok === 201).toBe(
      method === 'POST' && /^\/(invoices|receipts|customers|products|webhooks|invoices\/\{id\}\/payments)$/.test(path),
    );
    expect(summary).toMatch(/\.$/);
  });

  test.each(routeNames.filter((name) => name.includes('/batch')))('%s says where its items are', (name) => {
    expect(routes[name].items).toBe(name.endsWith('/submit') ? 'ids' : 'requests');
  });

  test('GET routes need a read permission, other routes another one', () => {
    for (const { method, permission } of Object.values(routes)) {
      if (permission !== null) expect(permission.endsWith(':read')).toBe(method === 'GET');
    }
  });

  test('no route creates API keys, and invoices are voided, not deleted', () => {
    expect(routeNames).not.toContain('POST /api-keys');
    expect(routeNames).not.toContain('DELETE /invoices/{id}');
  });
});
