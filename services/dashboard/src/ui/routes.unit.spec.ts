import { hasRoute } from './routes.ts';

test('an address has a page where the table of routes has it, whatever the interface names', () => {
  const routes = ['/app', '/app/invoices', '/app/invoices/$id'];
  const addresses = ['/app', '/app/invoices/inv_1?page=2', '/app/customers/cust_1', '/app/invoices/inv_1/lines', '/other'];
  expect(addresses.map((address) => hasRoute(routes, address))).toEqual([true, true, false, false, false]);
});
