import type { IconName } from '../ui/icon.tsx';
import type { Key } from '../texts/t.ts';

export interface Entry {
  to: string;
  label: Key;
  icon?: IconName;
  /** The permission without which it is not offered; `administrators`: owners and admins alone. */
  needs?: string;
}

/** The pages of the day, in the order of their use. */
export const entries: readonly Entry[] = [
  { to: '/app', label: 'nav.today', icon: 'today' },
  { to: '/app/invoices', label: 'nav.invoices', icon: 'invoice', needs: 'invoices:read' },
  { to: '/app/till', label: 'nav.till', icon: 'till', needs: 'receipts:write' },
  { to: '/app/receipts', label: 'nav.receipts', icon: 'receipt', needs: 'receipts:read' },
  { to: '/app/customers', label: 'nav.customers', icon: 'customers', needs: 'customers:read' },
  { to: '/app/products', label: 'nav.products', icon: 'products', needs: 'products:read' },
  { to: '/app/reports', label: 'nav.reports', icon: 'reports', needs: 'reports:read' },
  { to: '/app/webhooks', label: 'nav.webhooks', icon: 'webhooks', needs: 'webhooks:read' },
];

export const settings: readonly Entry[] = [
  { to: '/app/settings/general', label: 'nav.general' },
  { to: '/app/settings/issuer', label: 'nav.issuer', needs: 'settings:read' },
  { to: '/app/settings/authority', label: 'nav.authority', needs: 'settings:read' },
  { to: '/app/settings/api-keys', label: 'nav.apiKeys', needs: 'api_keys:read' },
  { to: '/app/settings/members', label: 'nav.members', needs: 'administrators' },
  { to: '/app/settings/requests', label: 'nav.requests', needs: 'settings:read' },
  { to: '/app/settings/audit', label: 'nav.audit', needs: 'administrators' },
];

export const goLive: Entry = { to: '/app/go-live', label: 'nav.goLive', icon: 'live' };

/** All other addresses are below it. */
const TODAY = '/app';
const WRITES_INVOICE = /^\/app\/invoices\/(?:new|[^/]+\/(?:edit|credit))\/?$/;

/** What a page needs, as entries of the navigation say it: those below one need the same, and forms of invoices to write. */
export function neededFor(path: string): string | undefined {
  if (WRITES_INVOICE.test(path)) return 'invoices:write';
  return [...entries, ...settings].find(({ to }) => path === to || (to !== TODAY && path.startsWith(`${to}/`)))?.needs;
}
