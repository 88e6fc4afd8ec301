import type { Server } from '@svc/document-store/store-span';

/** The user in the connection string, '' for none. It may list several hosts, which no URL does. */
export const userOf = (url: string): string => decodeURIComponent(/^[^/]*:\/\/([^:@/]+)(:[^@/]*)?@/.exec(url)?.[1] ?? '');

/** The one host in the connection string; undefined for several. */
export function serverOf(url: string): Server {
  const [, address, port = '2113'] = /^[^/]*:\/\/(?:[^@/]*@)?([^:,/?]+)(?::(\d+))?(?:[/?]|$)/.exec(url) ?? [];
  return address === undefined ? undefined : { address, port: Number(port) };
}
