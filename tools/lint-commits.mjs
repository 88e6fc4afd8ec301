// node tools/lint-commits.mjs: every commit since messages are conventional has such a subject, of which releases are made (docs/releasing.md).
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { parseMessage, types } from './release/commits.mjs';
import { root } from './setup.mjs';

/** The last commit before, and when it was made: a shallow clone may have commits of then without having this one. */
const BEFORE = { commit: '49ecbfc3de65d9992c00b40e1cd846f37c891bca', committed: '2026-11-23T16:50:49Z' };
const LONGEST = 120;

/** What is wrong with the subject of a commit; undefined: nothing. */
export function problemOf(/** @type {string} */ subject) {
  const { type, subject: text } = parseMessage(subject);
  if (!type || !text) return `is not \`type(scope): what it does\``;
  if (!types.includes(type)) return `has the type ${type}; there are: ${types.join(', ')}`;
  if (subject.length > LONGEST) return `has ${subject.length} characters, at most ${LONGEST} are read in a log`;
  return undefined;
}

/** The commits after `before` that are here, without merges, as hash and subject. Where there is no history, none. @returns {[string, string][]} */
export function commitsAfter(/** @type {string} */ repository, /** @type {typeof BEFORE} */ before) {
  const git = (...args) => spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
  const known = git('cat-file', '-e', `${before.commit}^{commit}`).status === 0;
  // Git's --since would end at the first older commit, behind which a merge may have newer ones.
  const { status, stdout } = git('log', '--no-merges', '--format=%h %ct %s', 'HEAD', ...(known ? [`^${before.commit}`] : []));
  if (status !== 0) return [];
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => /^(\S+) (\d+) (.*)$/.exec(line)?.slice(1) ?? [])
    .filter(([, seconds]) => Number(seconds) * 1000 > Date.parse(before.committed))
    .map(([hash, , subject]) => [hash, subject]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = commitsAfter(root, BEFORE).flatMap(([hash, subject]) => {
    const problem = problemOf(subject);
    return problem ? [`${hash} ${problem}: ${subject}`] : [];
  });
  if (problems.length > 0)
    console.error(`${problems.join('\n')}\nWhat the types mean: docs/releasing.md. git commit --amend, or git rebase -i.`);
  process.exit(problems.length > 0 ? 1 : 0);
}
