import { documentPermissions } from './documents.ts';
import { vocabulary } from './schema/vocabulary.ts';

export const permissions = [
  ...documentPermissions,
  'customers:read',
  'customers:write',
  'products:read',
  'products:write',
  'reports:read',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'settings:read',
  'settings:write',
] as const;
export type Permission = (typeof permissions)[number];
/** The permissions that a key can have; `*` is every permission. */
export const grants = vocabulary('Grant', [...permissions, '*']);
export type Grant = (typeof grants)[number];
