// What git knows: the commits since another one, with the files that each changes.
import { spawnSync } from 'node:child_process';

const MOST_OUTPUT = 256 * 1024 * 1024;
const [RECORD, FIELD] = ['\x1e', '\x1f'];

/** What git prints. Throws what it complains of. */
export function git(/** @type {string} */ root, /** @type {string[]} */ ...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

/** Whether the history of HEAD has this commit. */
export const inHistory = (/** @type {string} */ root, /** @type {string} */ commit) =>
  spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: root }).status === 0;

/**
 * `files`: also the earlier names of those that are moved; `added`: those that are new; `moved`: earlier and later names.
 * @typedef {{ hash: string, message: string, files: string[], added: string[], moved: [string, string][] }} Commit
 *
 * The commits of HEAD that are not in `commit`'s history, newest first. Merges are omitted: what they bring stands in the commits that they merge.
 * @returns {Commit[]}
 */
export function commitsSince(/** @type {string} */ root, /** @type {string} */ commit) {
  const format = `--format=${RECORD}%H${FIELD}%B${FIELD}`;
  const printed = git(root, ...['-c', 'core.quotePath=false', 'log', '--no-merges', '-M', '--name-status', format, `${commit}..HEAD`]);
  return printed
    .split(RECORD)
    .slice(1)
    .map((record) => {
      const [hash, message, changes] = record.split(FIELD);
      const rows = changes
        .split('\n')
        .filter(Boolean)
        .map((row) => row.split('\t'));
      return {
        ...{ hash, message: message.trim(), files: rows.flatMap(([, ...names]) => names) },
        added: rows.filter(([status]) => status === 'A').map(([, name]) => name),
        moved: rows.filter(([, , to]) => to !== undefined).map(([, from, to]) => [from, to]),
      };
    });
}
