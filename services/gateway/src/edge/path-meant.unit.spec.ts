import { routeNames, routes } from '@svc/contracts/routes';
import { pathMeant } from './path-meant.ts';
import { createRouteTable } from '../routing/route-table.ts';

const table = createRouteTable(routes, new Set(routeNames));

test.each([
  ['/invoices', '/v1/invoices'],
  ['/invoices/', '/v1/invoices'],
  ['/invoices/inv_1/submit', '/v1/invoices/{id}/submit'],
  ['/api/invoices', '/v1/invoices'],
  ['/api/v1/invoices', '/v1/invoices'],
  ['/v2/customers/cust_1', '/v1/customers/{id}'],
  ['/v1/account', '/v1/account'],
  ['/rest/api/v1/account', '/v1/account'],
])('%s may mean %s', (path, meant) => expect(pathMeant(path, table)).toBe(meant));

test.each(['', '/', '/nothing', '/api', '/api/', '/v1', '/v1/nothing', '/v1/v1/v1/v1/account', '/__proto__', 'invoices', '/V1/invoices'])(
  '%j means nothing',
  (path) => expect(pathMeant(path, table)).toBeUndefined(),
);
