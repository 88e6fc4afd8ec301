import { documentPermissions } from '../documents.ts';

export const plans = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

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
/** A permission of a key; `*` is every permission. */
export type Grant = Permission | '*';
