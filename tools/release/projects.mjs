// The projects that are released, services and charts, and which changed files concern each.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/**
 * @typedef {object} Project
 * @property {string} name as Nx knows it
 * @property {'service' | 'chart'} kind
 * @property {string} root its folder, from the repository's root
 * @property {string} version that of its manifest
 * @property {string[]} uses names of released projects that its own manifest names: their release makes one of this project
 * @property {(files: string[]) => boolean} concernedBy whether a commit that changes these files changes what is released
 */

/** What is in no image and in no packaged chart. */
const UNSHIPPED = /(^|\/)(README\.md|CHANGELOG\.md|project\.json|(decisions|fixtures|testing)\/.*)$|\.(spec|suite)\.ts$/;
/** Whether a file may be in one. */
export const isShipped = (/** @type {string} */ file) => !UNSHIPPED.test(file);

/** What every image is built by. */
const BUILD = /^(Dockerfile|\.swcrc|tools\/(build|built|bundle|compile|pages|trimmed-packages)\.mjs|deploy\/image\/(healthy\.mjs|svc))$/;
const LOCK = 'package-lock.json';
const MANIFEST = /^(libs|services)\/[^/]+\/package\.json$/;

/** @returns {Project[]} */
export function releasedProjects(/** @type {string} */ root) {
  return [...services(root), ...charts(root)];
}

/** Whether it is the chart of the other charts. */
export const isUmbrella = (/** @type {Project} */ { kind, uses }, /** @type {Project[]} */ projects) =>
  kind === 'chart' && uses.some((used) => projects.find(({ name }) => name === used)?.kind === 'chart');

function services(root) {
  const manifests = globSync('{libs,services}/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({
      root: dirname(path),
      ...JSON.parse(readFileSync(join(root, path), 'utf8')),
    }));
  const libraries = new Map(manifests.filter((one) => one.root.startsWith('libs/')).map((one) => [one.name, one]));
  /** The folders of all libraries in a manifest's `dependencies`, and in theirs. */
  const foldersOf = (manifest, found = new Set()) => {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const library = libraries.get(name);
      if (!library || found.has(library.root)) continue;
      found.add(library.root);
      foldersOf(library, found);
    }
    return found;
  };
  /** The folders of pages that the service has in its image, and of the libraries that are built into them. */
  const pagesOf = ({ nx: { name } }) =>
    manifests
      .filter(({ nx }) => nx?.tags?.includes(`served-by:${name}`))
      .flatMap(({ root: folder, devDependencies }) => [folder, ...foldersOf({ dependencies: devDependencies })]);
  return manifests
    .filter(({ nx }) => nx?.tags?.includes('type:service'))
    .map((manifest) => {
      const folders = [manifest.root, ...foldersOf(manifest), ...pagesOf(manifest)];
      const concernedBy = (files) => {
        const shipped = files.filter(isShipped);
        if (shipped.some((file) => BUILD.test(file) || isIn(folders, file))) return true;
        // A package that a manifest names is updated in that manifest as well, which says whose it is; one that no manifest names may be in every service.
        return files.includes(LOCK) && !files.some((file) => MANIFEST.test(file));
      };
      return { name: manifest.nx.name, kind: 'service', root: manifest.root, version: manifest.version, uses: [], concernedBy };
    });
}

/** The one process has all services in it and no release of its own, but that of the umbrella. */
const ONE_PROCESS = ['services/standalone', 'deploy/one-process'];

function charts(root) {
  const all = globSync('helm/*/Chart.yaml', { cwd: root })
    .sort()
    .map((path) => ({ root: dirname(path), ...parse(readFileSync(join(root, path), 'utf8')) }));
  const libraries = all.filter(({ type }) => type === 'library').map(({ name }) => name);
  const applications = all.filter(({ type }) => type === 'application').map(({ name }) => name);
  return all
    .filter(({ type }) => type === 'application')
    .map(({ root: folder, version, dependencies = [] }) => {
      const { name, implicitDependencies = [] } = JSON.parse(readFileSync(join(root, folder, 'project.json'), 'utf8'));
      // With the library chart, which has no releases of its own. What its other charts change comes with their releases (plan.mjs).
      const inside = dependencies.filter((dependency) => libraries.includes(dependency.name));
      const ofAll = dependencies.some((dependency) => applications.includes(dependency.name)) ? ONE_PROCESS : [];
      const folders = [folder, ...inside.map(({ repository }) => join(folder, repository.replace('file://', ''))), ...ofAll];
      const concernedBy = (files) => files.some((file) => isShipped(file) && isIn(folders, file));
      return { name, kind: 'chart', root: folder, version, uses: implicitDependencies, concernedBy };
    });
}

const isIn = (folders, file) => folders.some((folder) => file.startsWith(`${folder}/`));
