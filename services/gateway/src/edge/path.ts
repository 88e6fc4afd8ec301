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
