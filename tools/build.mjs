// Builds what is stale, in one pass: nothing when no source changed since the last build, else it compiles all projects and bundles the services. Arguments
// name the services that are needed, by default all.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './setup.mjs';

const mark = join(root, 'node_modules', '.cache', 'svc', 'build.json');

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Changes with the name, size or time of any source file. */
export function fingerprint() {
  const hash = createHash('sha256');
  const paths = [
    ...filesBelow(join(root, 'libs')),
    ...filesBelow(join(root, 'services')),
    ...filesBelow(join(root, 'emulators')),
    ...['.swcrc', 'tools/compile.mjs', 'tools/bundle.mjs', 'package-lock.json'].map((name) => join(root, name)),
  ];
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const projects = globSync('{libs,services,emulators}/*/package.json', { cwd: root }).map((path) => join(root, dirname(path)));
const services = projects.filter((project) => dirname(project).endsWith('services'));

/** Names of the services that are bundled as their sources are now; undefined: not all projects are compiled so. */
function bundled(now) {
  const last = existsSync(mark) ? JSON.parse(readFileSync(mark, 'utf8')) : {};
  if (last.fingerprint !== now || !projects.every((project) => existsSync(join(project, 'dist')))) return undefined;
  return last.bundled.filter((name) => existsSync(join(root, 'services', name, 'dist/start.mjs')));
}

const needed = process.argv.length > 2 ? process.argv.slice(2) : services.map((project) => basename(project));
const now = fingerprint();
const before = bundled(now);
const missing = needed.filter((name) => !before?.includes(name));
if (!before || missing.length > 0) {
  console.error('building …');
  // Loaded only now: the second start needs neither compiler nor bundler.
  const [{ compile }, { bundle }] = await Promise.all([import('./compile.mjs'), import('./bundle.mjs')]);
  if (!before) await Promise.all(projects.map(compile));
  for (const name of missing) await bundle(join(root, 'services', name));
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, JSON.stringify({ fingerprint: now, bundled: [...(before ?? []), ...missing] }));
}
