// What was released stays as it is: the gate compares with it, and so does whoever pulled it.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, inHistory } from './history.mjs';
import { digests, FILE, FOLDER } from './releases.mjs';

/** What differs from what was released: a line for each file. */
export function changesIn(/** @type {string} */ root) {
  return globSync(`${FOLDER}/*/*/${FILE}`, { cwd: root }).flatMap((path) => {
    const folder = path.slice(0, -FILE.length - 1);
    const { files } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    const now = digests(join(root, folder));
    const names = [...new Set([...Object.keys(files), ...Object.keys(now)])].sort();
    const change = (name) => (!(name in now) ? 'is gone' : !(name in files) ? 'was added' : 'was changed');
    return names.filter((name) => files[name] !== now[name]).map((name) => `${folder}/${name} ${change(name)} after the release`);
  });
}

/** The releases whose commits are not in the history: it was rebased or squashed after them. None where the history is not whole. */
export function lostReleases(/** @type {string} */ root) {
  if (!existsSync(join(root, '.git')) || git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true') return [];
  return globSync(`${FOLDER}/*/*/${FILE}`, { cwd: root })
    .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')))
    .filter(({ commit }) => !inHistory(root, commit))
    .map(
      ({ project, version, commit }) =>
        `${project} ${version} names ${commit}, which is not in the history: release it again before it is pushed`,
    );
}

/** The commits that change or remove a file of a release, as far as the history is here. A merge brings none of its own. */
export function changesInHistory(/** @type {string} */ root) {
  if (!existsSync(join(root, '.git'))) return [];
  return git(root, 'log', '--no-merges', '--no-renames', '--diff-filter=MDT', '--format=%h %s', '--', FOLDER).split('\n').filter(Boolean);
}
