import proxyaddr from '@fastify/proxy-addr';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { callerNetwork } from '@svc/service/addresses/caller-network';

/** From addresses and networks (`10.0.0.0/8`, `::1`); `loopback` is 127.0.0.0/8 and ::1. Throws a TypeError that names a wrong entry. */
export function trustedProxies(entries: readonly string[]) {
  const trust = proxyaddr.compile([...entries]);
  return { trusts: (address: string): boolean => trust(address, 0) };
}

export type Proxies = ReturnType<typeof trustedProxies>;

/** True for an address, a network (`10.0.0.0/8`) and `loopback`. */
export function isProxyEntry(entry: string): boolean {
  if (entry === 'loopback') return true;
  try {
    proxyaddr.compile([entry]);
    return isIP(entry.split('/')[0] ?? '') !== 0;
  } catch {
    return false;
  }
}

/** Removes the IPv6 prefix of a mapped IPv4 address. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');

/** True when a trusted proxy reports http. A direct connection, or a proxy without X-Forwarded-Proto, counts as https. */
export function cameByHttp(proxies: Proxies, { socket, headers }: IncomingMessage): boolean {
  const said = headers['x-forwarded-proto'];
  if (said === undefined || !proxies.trusts(plainAddress(socket.remoteAddress))) return false;
  return last(said).toLowerCase() === 'http';
}

/** The caller's address: the socket's, or the one that the trusted proxies report. */
export const callerAddress = (proxies: Proxies, request: IncomingMessage): string =>
  plainAddress(proxyaddr.all(request, proxies.trusts).findLast((address) => isIP(address) !== 0));

const last = (values: string | string[]): string => String(values).split(',').at(-1)?.trim() ?? '';

/** The rate-limit scope of an address: an IPv4 address, or the /64 of an IPv6 address. */
export const addressScope = (address: string): string => `ip ${callerNetwork(address)}`;

/** The scope for public pages, apart from `addressScope`: reading pages does not use up the limit of the interface. */
export const pageScope = (address: string): string => `page ${callerNetwork(address)}`;

/** The scope for files of the dashboard. */
export const assetScope = (address: string): string => `asset ${callerNetwork(address)}`;
