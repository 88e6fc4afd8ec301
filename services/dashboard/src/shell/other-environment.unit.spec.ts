import { keptSearch, listRoute } from './other-environment.ts';

test('a page of one thing leads to its list, since the other environment has no such thing', () => {
  expect(['/app/invoices/$id', '/app/webhooks/$id/deliveries/$whd', '/app/invoices', '/app'].map(listRoute)).toEqual([
    '/app/invoices',
    '/app/webhooks',
    '/app/invoices',
    '/app',
  ]);
});

test('a list keeps its filters, but no id and no page', () => {
  const search = { status: 'failed', customer_id: 'cust_1', page: '3', live: 'true' };
  expect(keptSearch('/app/invoices', search)).toEqual({ status: 'failed' });
  expect(keptSearch('/app/invoices/$id', { view: 'x' })).toEqual({});
});
