// Builds the dashboard's pages: static files in its dist/, each text beside its brotli form. Fails where the first load or a page is larger than may be. Run in
// the project's folder, or imported by build.mjs.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { pages } from './built.mjs';

/** Bytes of brotli that a browser loads before the first page shows, and for a page beyond that. Styles are counted. */
const LIMITS = { first: 200 * 1024, page: 40 * 1024 };
const isText = (name) => /\.(js|css|html|svg)$/.test(name);

/** `project`: its folder. */
export async function buildPages(project) {
  const dist = join(project, 'dist');
  await build({
    root: project,
    configFile: false,
    logLevel: 'warn',
    // Where a served page has the nonce of its answer.
    html: { cspNonce: '__CSP_NONCE__' },
    resolve: { conditions: ['@svc/source', 'module', 'browser', 'production'] },
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2023',
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      // No file of its own within another: the policy of the page allows none.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // Libraries mark their files for servers that render; here none does.
      rolldownOptions: { onLog: (level, log, print) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && print(level, log) },
    },
  });
  const sizes = compress(dist);
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  rmSync(join(dist, 'manifest.json'));
  judge(manifest, sizes);
}

/** Writes `.br` beside each text; the bytes of each. */
function compress(dist) {
  const sizes = {};
  for (const name of readdirSync(dist, { recursive: true })) {
    const path = join(dist, name);
    if (!isText(name) || !statSync(path).isFile()) continue;
    const text = readFileSync(path);
    const small = brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    });
    writeFileSync(`${path}.br`, small);
    sizes[name] = small.length;
  }
  return sizes;
}

/** Prints what is loaded first and for each page; throws where one is too large. */
function judge(manifest, sizes) {
  const filesOf = (key, seen = new Set()) => {
    if (seen.has(key)) return [];
    seen.add(key);
    const { file, css = [], imports = [] } = manifest[key];
    return [file, ...css, ...imports.flatMap((one) => filesOf(one, seen))];
  };
  const sum = (files) => [...new Set(files)].reduce((all, file) => all + (sizes[file] ?? 0), 0);
  const first = new Set([...filesOf('index.html'), 'index.html']);
  const loads = [{ name: 'first load', bytes: sum(first), limit: LIMITS.first }];
  for (const [key, { isDynamicEntry }] of Object.entries(manifest))
    if (isDynamicEntry) loads.push({ name: key, bytes: sum(filesOf(key).filter((file) => !first.has(file))), limit: LIMITS.page });
  const shown = ({ name, bytes, limit }) => `${(bytes / 1024).toFixed(1)} of ${limit / 1024} KB  ${name}`;
  if (process.env.SIZES) console.log(loads.map(shown).join('\n'));
  const large = loads.filter(({ bytes, limit }) => bytes > limit);
  if (large.length > 0) throw new Error(`too large, as brotli:\n${large.map(shown).join('\n')}`);
}

if (process.argv[1] === import.meta.filename) await buildPages(pages);
