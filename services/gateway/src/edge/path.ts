import type { Env } from '@svc/kernel';

const BASE = '/v1';

/**
 * The decoded path below /v1 without a trailing slash, or undefined when the URL is not under /v1. Decodes like the router (encoded letters,
 * absolute form), so that no URL bypasses the edge. Never throws: an undecodable path is returned as it is.
 */
export function interfacePath(url: string): string | undefined {
  let path = url.charCodeAt(0) === 47 ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  if (end >= 0) path = path.slice(0, end);
  if (path.includes('%')) path = decoded(path);
  if (!path.startsWith(BASE)) return undefined;
  if (path.length === BASE.length) return '';
  if (path.charCodeAt(BASE.length) !== 47) return undefined;
  return path.endsWith('/') ? path.slice(BASE.length, -1) : path.slice(BASE.length);
}

/** Encoded slashes and other reserved characters stay encoded: they belong to a segment. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Configured hosts, in lower case and without port, with the kind of key that they accept. Other hosts accept both kinds. */
export type Hosts = ReadonlyMap<string, 'live' | 'sandbox'>;

/** False when the host accepts only keys of the other environment. */
export function hostTakes(hosts: Hosts, host: string | undefined, env: Env): boolean {
  if (hosts.size === 0 || host === undefined) return true;
  const kind = hosts.get(host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, ''));
  return kind === undefined || (kind === 'live') === (env === 'live');
}
