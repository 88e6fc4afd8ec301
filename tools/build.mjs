// npm run build: builds what is stale, in one pass: nothing when no source changed since the last build, else it compiles all projects and bundles the services. The pages are
// built for the services that serve them, when their own sources changed. Arguments name the services that are needed, by default all.
import { join } from 'node:path';
import { arePagesBuilt, bundled, fingerprint, keep, keepPages, pages, projects, services } from './built.mjs';
import { root } from './setup.mjs';

const needed = process.argv.length > 2 ? process.argv.slice(2) : services;
const now = fingerprint();
const before = bundled(now);
const missing = needed.filter((name) => !before?.includes(name));
const arePagesStale = ['gateway', 'standalone'].some((name) => needed.includes(name)) && !arePagesBuilt();
if (!before || missing.length > 0 || arePagesStale) console.error('building …');
if (!before || missing.length > 0) {
  // Loaded only now: what is built needs neither compiler nor bundler.
  const [{ compile }, { bundle }] = await Promise.all([import('./compile.mjs'), import('./bundle.mjs')]);
  if (!before) await Promise.all(projects.map(compile));
  for (const name of missing) await bundle(join(root, 'services', name));
  keep(now, [...(before ?? []), ...missing]);
}
if (arePagesStale) {
  const { buildPages } = await import('./pages.mjs');
  await buildPages(pages);
  keepPages();
}
