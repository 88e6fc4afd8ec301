import type { Env } from '@svc/kernel';

/** Configured hosts, in lower case and without port, with the kind of key that they accept. Other hosts accept both kinds. */
export type Hosts = ReadonlyMap<string, 'live' | 'sandbox'>;

/** False when the host accepts only keys of the other environment. */
export function hostTakes(hosts: Hosts, host: string | undefined, env: Env): boolean {
  if (hosts.size === 0 || host === undefined) return true;
  const kind = hosts.get(host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, ''));
  return kind === undefined || (kind === 'live') === (env === 'live');
}
