import type { Route } from '@svc/contracts/http/route';
import type { ConsoleRouteName } from '@svc/contracts/console/routes';
import type { RouteName } from '@svc/contracts/routes';

/** Of the interface for keys, or of the dashboard. */
export type AnyRouteName = RouteName | ConsoleRouteName;

export interface RouteEntry {
  name: AnyRouteName;
  route: Route;
}

/** The routes of a path by method, and its Allow header. */
export interface PathEntry {
  methods: ReadonlyMap<string, RouteEntry>;
  allow: string;
}

interface Node {
  children: Map<string, Node>;
  /** For a `{…}` segment. */
  any?: Node;
  pathEntry?: { methods: Map<string, RouteEntry>; allow: string };
}

/** Finds the served routes of a path below /v1; undefined: there are none. A fixed segment has precedence over `{…}`. */
export type RouteTable = (path: string) => PathEntry | undefined;

export function createRouteTable<Name extends AnyRouteName>(routes: Record<Name, Route>, served: Iterable<Name>): RouteTable {
  const root: Node = { children: new Map() };
  for (const name of served) insert(root, { name, route: routes[name] });
  return (path) => (path.charCodeAt(0) === 47 ? find(root, path, 1) : undefined);
}

function insert(root: Node, entry: RouteEntry): void {
  let node = root;
  for (const segment of entry.route.path.split('/').slice(1))
    node = segment.startsWith('{') ? (node.any ??= newNode()) : childOf(node, segment);
  node.pathEntry ??= { methods: new Map(), allow: '' };
  const { methods } = node.pathEntry;
  methods.set(entry.route.method, entry);
  if (entry.route.method === 'GET') methods.set('HEAD', entry);
  node.pathEntry.allow = [...methods.keys()].sort().join(', ');
}

const newNode = (): Node => ({ children: new Map() });

function childOf(node: Node, segment: string): Node {
  const child = node.children.get(segment) ?? newNode();
  node.children.set(segment, child);
  return child;
}

/** Recurses as deep as the deepest route of the table. */
function find(node: Node, path: string, from: number): PathEntry | undefined {
  const slash = path.indexOf('/', from);
  const segment = slash < 0 ? path.slice(from) : path.slice(from, slash);
  const fixed = node.children.get(segment);
  const found = fixed && below(fixed, path, slash);
  if (found !== undefined) return found;
  return node.any && segment !== '' ? below(node.any, path, slash) : undefined;
}

const below = (node: Node, path: string, slash: number): PathEntry | undefined =>
  slash < 0 ? node.pathEntry : find(node, path, slash + 1);

const BASE = '/v1';
const CONSOLE = '/console';

/**
 * The decoded path below /v1 without a trailing slash, or undefined when the URL is not under /v1. Decodes like the router (encoded letters,
 * absolute form), so that no URL bypasses the edge. Never throws: an undecodable path is returned as it is.
 */
export const interfacePath = (url: string): string | undefined => pathBelow(BASE, url);

/** The decoded path, whole, of a URL under /console; as `interfacePath`. */
export function consolePath(url: string): string | undefined {
  const below = pathBelow(CONSOLE, url);
  return below === undefined ? undefined : CONSOLE + below;
}

function pathBelow(base: string, url: string): string | undefined {
  const path = decodedPath(url);
  if (!path.startsWith(base)) return undefined;
  if (path.length === base.length) return '';
  if (path.charCodeAt(base.length) !== 47) return undefined;
  return path.endsWith('/') ? path.slice(base.length, -1) : path.slice(base.length);
}

/** The URL to route a request by: below /console/v1 the routes of the interface answer members. */
export const withoutConsole = ({ url = '/' }: { url?: string | undefined }): string =>
  /^\/console\/v1(?=[/?]|$)/.test(url) ? url.slice(CONSOLE.length) : url;

/** The decoded path of a URL, also in absolute form. */
export function decodedPath(url: string): string {
  let path = url.charCodeAt(0) === 47 ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  if (end >= 0) path = path.slice(0, end);
  return path.includes('%') ? decoded(path) : path;
}

/** Encoded slashes and other reserved characters stay encoded: they belong to a segment. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
