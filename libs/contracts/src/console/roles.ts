import { permissions, type Permission } from '../permissions.ts';
import { vocabulary } from '../schema/vocabulary.ts';

/** From the highest to the lowest. */
export const roles = vocabulary('Role', ['owner', 'admin', 'developer', 'accountant', 'cashier', 'viewer']);
export type Role = (typeof roles)[number];

/** `receipts:void_own`: to void receipts of one's own of today. No key has it. */
export type RolePermission = Permission | 'receipts:void_own' | '*';

interface RoleRow {
  test: readonly RolePermission[];
  live: readonly RolePermission[];
  /** Members, the name of the account, and the audit. */
  administers: boolean;
  /** False: in live it sees null for names, addresses, e-mails and tax ids of customers and documents. */
  livePersonalData: boolean;
}

const of = (...subjects: string[]): Permission[] => permissions.filter((name) => subjects.includes(name.split(':')[0] ?? ''));
const reads = permissions.filter((name) => name.endsWith(':read'));
const catalog = of('invoices', 'receipts', 'customers', 'products');
const everywhere = (granted: readonly RolePermission[]) => ({ test: granted, live: granted });

/** What each role may, by environment. */
export const roleTable: Record<Role, RoleRow> = {
  owner: { ...everywhere(['*']), administers: true, livePersonalData: true },
  admin: { ...everywhere(['*']), administers: true, livePersonalData: true },
  developer: { test: ['*'], live: [...reads, 'webhooks:write', 'api_keys:write'], administers: false, livePersonalData: false },
  accountant: { ...everywhere([...catalog, 'reports:read', 'settings:read']), administers: false, livePersonalData: true },
  cashier: {
    ...everywhere(['receipts:read', 'receipts:write', 'receipts:void_own', 'customers:read', 'products:read']),
    administers: false,
    livePersonalData: true,
  },
  viewer: {
    ...everywhere(['invoices:read', 'receipts:read', 'customers:read', 'products:read', 'reports:read']),
    administers: false,
    livePersonalData: true,
  },
};

/** Whether a member of role `mine` may give, change or take away role `other`: no member changes a higher role. */
export const isAbove = (other: Role, mine: Role): boolean => roles.indexOf(other) < roles.indexOf(mine);
