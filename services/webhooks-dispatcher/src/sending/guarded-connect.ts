import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { hostOf, isLocalName } from './check-url.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

const RESOLVED_WITHIN_MS = 10_000;

export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Throws `ForbiddenAddress` for a URL whose host alone already shows that it is not public. Undici asks no resolver about address literals. */
export function refuseLiteral(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host)) throw new ForbiddenAddress(`${host} is not a public address`);
}

/** A connector that resolves at each connect, refuses when any address is not public or none is found, and connects to the one it checked. */
export function guardedConnector(resolve: Resolve): buildConnector.connector {
  const lookup: LookupFunction = (host, options, done) => {
    resolve(host, RESOLVED_WITHIN_MS).then(
      (addresses) => {
        const bad = addresses.find((address) => !isPublicAddress(address));
        const [first] = addresses;
        if (bad !== undefined || first === undefined)
          return done(new ForbiddenAddress(`${host} resolves to an address that is not public`), '', 0);
        const family = isIP(first);
        if (options.all) return done(null, [{ address: first, family }]);
        return done(null, first, family);
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 0),
    );
  };
  return buildConnector({ lookup, timeout: 30_000 } as buildConnector.BuildOptions);
}
