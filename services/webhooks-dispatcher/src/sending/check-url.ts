import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

/** The API request waits for this; a slower name counts as one that does not resolve yet. */
const RESOLVED_WITHIN_MS = 2_000;

const DEVELOPMENT =
  'To receive events at this machine during development, the operator allows its origin, such as http://localhost:4000, by the setting WEBHOOKS_ALLOW of this installation';

/**
 * What is wrong with a subscriber's URL, or undefined. Origins in `allowed` pass (development). A name that does not resolve within 2 s is
 * accepted: its deliveries fail visibly. Numeric forms of an address (`127.1`, `0x7f.1`) arrive normalized by `URL`.
 */
export async function problemOfUrl(text: string, allowed: ReadonlySet<string>, resolve: Resolve): Promise<string | undefined> {
  if (!URL.canParse(text)) return 'must be an absolute https URL, for example https://shop.example/hooks';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password: the signature authenticates us';
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment (#…)';
  if (allowed.has(url.origin)) return undefined;
  if (url.protocol !== 'https:') return `must begin with https://. ${DEVELOPMENT}`;
  if (url.port !== '' && Number(url.port) < 1024) return 'must use port 443 or a port from 1024 on';
  const host = hostOf(url);
  if (isIP(host)) return isPublicAddress(host) ? undefined : `must not be an address outside the public internet. ${DEVELOPMENT}`;
  if (isLocalName(host)) return `must be reachable from the public internet. ${DEVELOPMENT}`;
  const addresses = await resolve(host, RESOLVED_WITHIN_MS).catch(() => []);
  return addresses.every(isPublicAddress)
    ? undefined
    : `must be reachable from the public internet: ${host} resolves to an address that is not public. ${DEVELOPMENT}`;
}

/** Host without brackets and trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** `localhost`, its subdomains and single-label names are never public, whatever a resolver answers. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/i.test(host) || !host.includes('.');
