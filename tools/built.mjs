// Whether what is built is as the sources are now. Runs on plain Node ≥ 18, before a process of Node 24 is started.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './setup.mjs';

const mark = join(root, 'node_modules', '.cache', 'svc', 'build.json');
const folders = ['libs', 'services', 'rig'].map((name) => join(root, name));

/** The folder of the dashboard, whose files Vite builds. */
export const pages = join(root, 'services', 'dashboard');
/** The folders of all other projects. */
export const projects = folders
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((project) => project !== pages && existsSync(join(project, 'package.json')));
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

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of [...paths].sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
const inRoot = (...names) => names.map((name) => join(root, name));

/** Changes with the name, size or time of any source file but those of pages. */
export function fingerprint() {
  const sources = folders.flatMap((folder) => [...filesBelow(folder)]).filter((path) => !path.startsWith(`${pages}/`));
  return hashOf([
    ...sources,
    ...inRoot('.swcrc', 'tools/compile.mjs', 'tools/bundle.mjs', 'tools/trimmed-packages.mjs', 'package-lock.json'),
  ]);
}

/** The same of the dashboard, and of the library that its files are built with. */
const pagesFingerprint = () =>
  hashOf([...filesBelow(pages), ...filesBelow(join(root, 'libs/client/src')), ...inRoot('tools/pages.mjs', 'package-lock.json')]);
const pagesMark = join(dirname(mark), 'pages.txt');

/** Whether the dashboard is built as its sources are. */
export const arePagesBuilt = () =>
  existsSync(join(pages, 'dist/index.html')) && existsSync(pagesMark) && readFileSync(pagesMark, 'utf8') === pagesFingerprint();

/** Keeps that the dashboard was built from its present sources. */
export function keepPages() {
  mkdirSync(dirname(pagesMark), { recursive: true });
  writeFileSync(pagesMark, pagesFingerprint());
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
