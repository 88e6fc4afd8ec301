import { createReadStream, existsSync, statSync } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keptHeaders } from './page.ts';

export interface Renderer {
  /** The ETag changes with the file. */
  headers: Record<string, string>;
  size: number;
  read(): ReadStream;
}

/**
 * Redoc's browser build: beside the bundled program (where tools/bundle.mjs puts it), else in its package. It is found at the first request and
 * streamed from disk, so that no process holds its 1.1 MB.
 */
export function renderer(): Renderer {
  const beside = fileURLToPath(new URL('redoc.standalone.js', import.meta.url));
  const file = existsSync(beside) ? beside : createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  const { size, mtimeMs } = statSync(file);
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  const headers = { 'content-type': 'text/javascript; charset=utf-8', ...keptHeaders(etag) };
  return { headers, size, read: () => createReadStream(file) };
}
