import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';

/** Where the build of the dashboard is: the same steps away from the source, from the compiled program and from its bundle. */
export const pagesFolder = resolve(import.meta.dirname, '../../../dashboard/dist');

export const isBuilt = (folder: string): boolean => existsSync(join(folder, 'index.html'));

/** Of index.html: it is replaced by the nonce of the answer. */
const NONCE = '__CSP_NONCE__';

/** A file under /assets: its name has its hash, so that it never changes. */
export interface Asset {
  contentType: string;
  identity: Buffer;
  /** As the build has compressed it; undefined: it has not. */
  brotli: Buffer | undefined;
}

export interface BuiltPages {
  /** The one page, with a nonce in place. */
  index(nonce: string): string;
  /** `path`: below /assets/. undefined: there is none. */
  asset(path: string): Promise<Asset> | undefined;
}

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** Reads the page and the names of its files; each file is read at its first request and kept: as many as the build has. */
export async function readPages(folder: string): Promise<BuiltPages> {
  const assets = join(folder, 'assets');
  const [index, names] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), readdir(assets)]);
  const known = new Set(names);
  const kept = new Map<string, Promise<Asset>>();
  const read = async (name: string): Promise<Asset> => {
    const [identity, brotli] = await Promise.all([
      readFile(join(assets, name)),
      known.has(`${name}.br`) ? readFile(join(assets, `${name}.br`)) : undefined,
    ]);
    return { contentType: contentTypes[extname(name)] ?? 'application/octet-stream', identity, brotli };
  };
  return {
    index: (nonce) => index.replaceAll(NONCE, nonce),
    asset(path) {
      if (!known.has(path) || path.endsWith('.br')) return undefined;
      const found = kept.get(path) ?? read(path);
      kept.set(path, found);
      found.catch(() => kept.delete(path));
      return found;
    },
  };
}
