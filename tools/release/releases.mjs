// The folders of what was released, releases/<project>/<version>/: they stand in the repository, so that a clone without tags knows all releases.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rcompare, valid } from 'semver';

export const FOLDER = 'releases';
export const FILE = 'release.json';

/**
 * `commit`: the commit that was released; the release's own commit, which adds this folder, is its child. `files`: SHA-256 of each file beside it.
 * @typedef {{ project: string, version: string, commit: string, files: Record<string, string> }} Release
 */

/** All of them, or those of a project, newest versions first. @returns {Release[]} */
export function releasesOf(/** @type {string} */ root, /** @type {string} */ project) {
  const folder = join(root, FOLDER, project);
  return versionsIn(folder).map((version) => JSON.parse(readFileSync(join(folder, version, FILE), 'utf8')));
}

/** The versions in the folder of a project, the newest first. */
export const versionsIn = (/** @type {string} */ folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => valid(name))
        .sort(rcompare)
    : [];

/**
 * Makes the folder of a release. `fill` writes what belongs beside release.json.
 * @returns {string} the folder, from the root
 */
export function addRelease(
  /** @type {string} */ root,
  /** @type {{ project: string, version: string, commit: string }} */ { project, version, commit },
  /** @type {(folder: string) => void} */ fill,
) {
  const folder = join(FOLDER, project, version);
  const path = join(root, folder);
  if (existsSync(path)) throw new Error(`${folder} is there already: a released version is not released again`);
  mkdirSync(path, { recursive: true });
  fill(path);
  const release = { project, version, commit, files: digests(path) };
  writeFileSync(join(path, FILE), `${JSON.stringify(release, null, 2)}\n`);
  return folder;
}

/** SHA-256 of each file of a release but release.json, by its path in the folder. */
export function digests(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => name !== FILE)
    .sort();
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.map((name) => [name, hash(name)]));
}
