import proxyaddr from '@fastify/proxy-addr';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who may say how a request came and from where. */
export interface Proxies {
  trusts(address: string): boolean;
}

/** Of addresses and networks (`10.0.0.0/8`, `::1`); `loopback` is 127.0.0.0/8 and ::1. Throws with the entry that is wrong. */
export function trustedProxies(entries: readonly string[]): Proxies {
  const trust = proxyaddr.compile([...entries]);
  return { trusts: (address) => trust(address, 0) };
}

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

/** IPv4 in its own form, also where the socket shows it mapped into IPv6. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');

/** True when a trusted proxy says that the caller came by http. Who speaks to us directly, or through one that says nothing, counts as https. */
export function cameByHttp(proxies: Proxies, { socket, headers }: IncomingMessage): boolean {
  const said = headers['x-forwarded-proto'];
  if (said === undefined || !proxies.trusts(plainAddress(socket.remoteAddress))) return false;
  return last(said).toLowerCase() === 'http';
}

/** The caller's address: the socket's, or what the trusted proxies before it say, nearest first, as far as they name addresses. */
export const callerAddress = (proxies: Proxies, request: IncomingMessage): string =>
  plainAddress(proxyaddr.all(request, proxies.trusts).findLast((address) => isIP(address) !== 0));

const last = (values: string | string[]): string => String(values).split(',').at(-1)?.trim() ?? '';
