// Whether what is built is as the sources are now. Runs on plain Node ≥ 18, before a process of Node 24 is started.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './setup.mjs';

const mark = join(root, 'node_modules', '.cache', 'svc', 'build.json');
const folders = ['libs', 'services', 'rig'].map((name) => join(root, name));

/** The folders of all projects. */
export const projects = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((project) => existsSync(join(project, 'package.json')));
/** The names of those that are bundled. */
export const services = projects.filter((project) => dirname(project) === join(root, 'services')).map((project) => basename(project));

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
  const build = ['.swcrc', 'tools/compile.mjs', 'tools/bundle.mjs', 'package-lock.json'].map((name) => join(root, name));
  for (const path of [...folders.flatMap((folder) => [...filesBelow(folder)]), ...build].sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Names of the services that are bundled as the sources are `now`; undefined: not all projects are compiled so. */
export function bundled(now = fingerprint()) {
  const last = existsSync(mark) ? JSON.parse(readFileSync(mark, 'utf8')) : {};
  if (last.fingerprint !== now || !projects.every((project) => existsSync(join(project, 'dist')))) return undefined;
  return last.bundled.filter((name) => existsSync(join(root, 'services', name, 'dist/start.mjs')));
}

/** Keeps that these services are bundled as the sources were with this fingerprint. */
export function keep(now, names) {
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, JSON.stringify({ fingerprint: now, bundled: names }));
}
