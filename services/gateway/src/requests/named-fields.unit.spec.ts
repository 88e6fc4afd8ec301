import { consoleRoutes } from '@svc/contracts/console/routes';
import { routes } from '@svc/contracts/routes';
import { problemsOf } from '@svc/contracts/schema/problems';
import { DomainError, invalid } from '@svc/kernel';
import { namedFields } from './named-fields.ts';

const customer = routes['POST /customers'];
const refused = (route: typeof customer, body: object) => namedFields(route, invalid(problemsOf(route.body as never, body) ?? []) as never);

test('names that a caller invents are one word, whatever is in them', () => {
  const body = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${n}.name.`.padEnd(100, 'n'), 1]));
  expect(refused(customer, { ...body, tax_id: 7, issuer: 1 })).toEqual(['name', 'unknown']);
  expect(refused(customer, { name: 'Ana', address: { lin1: 'x' } })).toContain('unknown');
});

test('an index and a key of pairs are one name', () => {
  const metadata = { [`a.${'b'.repeat(50)}`]: 'x', c: 7, d: 8 };
  expect(refused(customer, { name: 'Ana', metadata })).toEqual(['metadata.*']);
  const items = Array.from({ length: 60 }, () => ({ description: 'x', quantity: [], unit_price: '1' }));
  expect(refused(routes['POST /invoices'], { items })).toContain('items.*.quantity');
});

test('what a service names is kept, and of a query its parameters', () => {
  const named = {
    'issuer.tax_id': ['x'],
    'lines.12.rate': ['x'],
    body: ['x'],
    'If-Match': ['x'],
    'ü ü': ['x'],
    [`a${'.b'.repeat(9)}`]: ['x'],
  };
  expect(namedFields(routes['POST /invoices/{id}/submit'], { details: named })).toEqual([
    ...['issuer.tax_id', 'lines.*.rate', 'body', 'If-Match', 'unknown'],
  ]);
  expect(namedFields(consoleRoutes['GET /console/requests'] as never, { details: { per_page: ['x'] } })).toEqual(['per_page']);
  expect(namedFields(undefined, new DomainError('not_found', 'x') as never)).toEqual([]);
});

test('there are at most twenty', () => {
  const details = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`name_${n}`, ['x']]));
  expect(namedFields(undefined, { details })).toHaveLength(20);
});
