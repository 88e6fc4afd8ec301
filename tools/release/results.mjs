// What was found about a commit: by the contract gate, and by two releases side by side. Kept outside the tree, by the commit's id; `npm run release` asks for it.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { git } from './history.mjs';

/**
 * `accepted`: breaks that were judged to be harmless; `formats`: files of a description that differ from those of the last release.
 * @typedef {{ accepted: { id: string, because: string }[], formats: string[] }} Promises
 *
 * `gate`: by service; `mixed`: by service, `from` is the commit of the release that ran beside it.
 * @typedef {{
 *   commit: string,
 *   gate?: { passed: boolean, services: Record<string, Promises> },
 *   mixed?: Record<string, { passed: boolean, from: string }>,
 * }} Results
 */

const fileOf = (commit) => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'invoicing-platform', 'results', `${commit}.json`);

/** The commit that is checked out; undefined where the tree has changes that it has not, or is no repository. */
export function commitOf(/** @type {string} */ root) {
  if (!existsSync(join(root, '.git')) || git(root, 'status', '--porcelain').trim() !== '') return undefined;
  return git(root, 'rev-parse', 'HEAD').trim();
}

/**
 * The results of a commit: those kept on this machine, then those of `files`, of which the last one counts. Throws on a file of another commit.
 * @returns {Results}
 */
export function resultsOf(/** @type {string} */ commit, /** @type {string[]} */ files) {
  const own = fileOf(commit);
  const given = files.map((path) => ({ path, results: read(path) }));
  const other = given.find(({ results }) => results.commit !== commit);
  if (other) throw new Error(`${other.path} has the results of ${other.results.commit}, and ${commit} is released`);
  return [...(existsSync(own) ? [read(own)] : []), ...given.map(({ results }) => results)].reduce(merged, { commit });
}

/**
 * Adds results of the commit that was checked out when the check began (`commitOf`). Keeps nothing where that is another one now.
 * @returns what to print
 */
export function keepResults(/** @type {string} */ root, /** @type {string | undefined} */ commit, /** @type {Partial<Results>} */ results) {
  if (commit === undefined || commit !== commitOf(root)) return 'no results are kept: the tree has changes that no commit has';
  const path = fileOf(commit);
  mkdirSync(dirname(path), { recursive: true });
  const kept = merged(existsSync(path) ? read(path) : { commit }, { commit, ...results });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify(kept, null, 2)}\n`);
  renameSync(written, path);
  return `results of ${commit.slice(0, 12)}: ${path}`;
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as results of a commit, which npm run gate and npm run test:mixed write: ${error.message}`);
  }
}

const merged = (one, other) => ({
  ...one,
  ...other,
  ...((one.mixed || other.mixed) && { mixed: { ...one.mixed, ...other.mixed } }),
});
