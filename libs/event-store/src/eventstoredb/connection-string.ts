import type { Server } from '@svc/document-store/store-span';

/** Whom the connection string names, '' for nobody. It may list several hosts, which no URL does. */
export const userOf = (url: string): string => decodeURIComponent(/^[^/]*:\/\/([^:@/]+)(:[^@/]*)?@/.exec(url)?.[1] ?? '');

/** The one host that the connection string lists; undefined for several. */
export function serverOf(url: string): Server {
  const [, address, port = '2113'] = /^[^/]*:\/\/(?:[^@/]*@)?([^:,/?]+)(?::(\d+))?(?:[/?]|$)/.exec(url) ?? [];
  return address === undefined ? undefined : { address, port: Number(port) };
}
