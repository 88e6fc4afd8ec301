import type { RouteTable } from '../routing/route-table.ts';

/** What other interfaces have before their paths, and `/v1` where it stands twice. */
const PREFIX = /^\/(?:api|rest|v\d{1,2})(?=\/)/;
const MOST_PREFIXES = 3;

/**
 * The path of the table that one without `/v1`, or with another beginning, may mean, such as `/v1/invoices/{id}`; undefined: none. It is the pattern
 * of the table, so it repeats nothing of the request.
 */
export function pathMeant(path: string, entryAt: RouteTable): string | undefined {
  let rest = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  for (let n = 0; n <= MOST_PREFIXES; n += 1) {
    const [entry] = entryAt(rest)?.methods.values() ?? [];
    if (entry) return `/v1${entry.route.path}`;
    const [prefix] = PREFIX.exec(rest) ?? [];
    if (prefix === undefined) return undefined;
    rest = rest.slice(prefix.length);
  }
  return undefined;
}
