import { pageOf, type Page } from './page.ts';
import type { SiteFile } from './site.ts';

/**
 * Pages by path, each made at its first request and kept: so many, and of such sizes, as the document has. undefined for another path. A page that
 * could not be made is tried again at the next request.
 */
export function keptPages(files: ReadonlyMap<string, SiteFile>, headersOf: (file: SiteFile) => Record<string, string>) {
  const kept = new Map<string, Promise<Page>>();
  return (path: string): Promise<Page> | undefined => {
    const known = kept.get(path);
    const file = files.get(path);
    if (known || !file) return known;
    const made = pageOf(file.text(), headersOf(file));
    kept.set(path, made);
    made.catch(() => kept.delete(path));
    return made;
  };
}
