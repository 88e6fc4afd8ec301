import { isIP } from 'node:net';
import { hostOf, isLocalName } from './check-url.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

const RESOLVED_WITHIN_MS = 10_000;

class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/**
 * The checked address to connect to. Rejects with `ForbiddenAddress` when the host has no address or one that is not public; else as `resolve` does.
 */
export async function publicAddressOf(url: URL, resolve: Resolve): Promise<string> {
  const host = hostOf(url);
  const literal = isIP(host) !== 0;
  if (literal ? !isPublicAddress(host) : isLocalName(host)) throw new ForbiddenAddress(`${host} is not a public address`);
  if (literal) return host;
  const addresses = await resolve(host, RESOLVED_WITHIN_MS);
  const [first] = addresses;
  if (first === undefined || !addresses.every(isPublicAddress))
    throw new ForbiddenAddress(`${host} resolves to an address that is not public`);
  return first;
}
