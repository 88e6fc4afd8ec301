// Builds what is stale, in one pass: nothing when no source changed since the last build, else it compiles all projects and bundles the services. Arguments
// name the services that are needed, by default all.
import { join } from 'node:path';
import { bundled, fingerprint, keep, projects, services } from './built.mjs';
import { root } from './setup.mjs';

const needed = process.argv.length > 2 ? process.argv.slice(2) : services;
const now = fingerprint();
const before = bundled(now);
const missing = needed.filter((name) => !before?.includes(name));
if (!before || missing.length > 0) {
  console.error('building …');
  // Loaded only now: what is built needs neither compiler nor bundler.
  const [{ compile }, { bundle }] = await Promise.all([import('./compile.mjs'), import('./bundle.mjs')]);
  if (!before) await Promise.all(projects.map(compile));
  for (const name of missing) await bundle(join(root, 'services', name));
  keep(now, [...(before ?? []), ...missing]);
}
