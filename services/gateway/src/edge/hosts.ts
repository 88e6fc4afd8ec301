import type { Env } from '@svc/kernel';

/** Declared hosts, in lower case and without port, and whose keys they take. Others take both kinds. */
export type Hosts = ReadonlyMap<string, 'live' | 'sandbox'>;

/** False when the request came to a host that takes the other environment's keys. */
export function hostTakes(hosts: Hosts, host: string | undefined, env: Env): boolean {
  if (hosts.size === 0 || host === undefined) return true;
  const kind = hosts.get(host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, ''));
  return kind === undefined || (kind === 'live') === (env === 'live');
}
