import { neededFor } from './navigation.ts';

test.each([
  ['/app', undefined],
  ['/app/profile', undefined],
  ['/app/invoices', 'invoices:read'],
  ['/app/invoices/inv_1', 'invoices:read'],
  ['/app/invoices/new', 'invoices:write'],
  ['/app/invoices/inv_1/edit', 'invoices:write'],
  ['/app/invoices/inv_1/credit/', 'invoices:write'],
  ['/app/till', 'receipts:write'],
  ['/app/reports/month-end', 'reports:read'],
  ['/app/settings/members', 'administrators'],
])('%s needs %s', (path, needs) => expect(neededFor(path)).toBe(needs));
