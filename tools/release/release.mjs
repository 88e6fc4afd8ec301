// npm run release -- [--dry-run] [PROJECT…]: releases what has changed since its last release: versions, changelogs, releases/<project>/<version>/, one
// commit, tags. Nothing is pushed. With projects: these, and the charts that name them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rcompare } from 'semver';
import { root } from '../setup.mjs';
import { commitsSince, git, inHistory } from './history.mjs';
import { versionsByNx } from './nx-release.mjs';
import { planRelease } from './plan.mjs';
import { releasedProjects } from './projects.mjs';
import { addRelease, releasesOf } from './releases.mjs';
import { endedBy, shownLines } from './until.mjs';

const describe = join(root, 'tools/contracts/describe.mjs');

async function release(only, dryRun) {
  if (!dryRun) refuseChangedTree();
  const projects = releasedProjects(root);
  const plan = planRelease({ projects, only, lastCommit, commitsSince: (commit) => commitsSince(root, commit) });
  if (plan.changes.length === 0)
    return console.log('Nothing to release: no feat, fix, perf, revert or breaking change since the last one.');

  const commit = git(root, 'rev-parse', 'HEAD').trim();
  try {
    const released = await versionsByNx(root, plan, dryRun);
    refuseEnded(released);
    for (const { project, from, to } of released)
      console.log(`${project} ${from === to ? to : `${from} → ${to}`}${linesOf(plan, project)}`);
    if (dryRun) return console.log('\nNothing is changed: --dry-run.');
    record(projects, released, commit);
  } catch (error) {
    const undo = `git reset --hard ${commit.slice(0, 12)} && git clean -fd releases services helm`;
    if (!dryRun) console.error(`The tree has what was written until now: ${undo}`);
    throw error;
  }
  console.log(
    `\nCommitted and tagged. Publish it: git push --atomic --follow-tags, npm run release:charts, and the images of the released services.`,
  );
}

/** What a commit has not, a release would not have either. */
function refuseChangedTree() {
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length > 0)
    throw new Error(`the tree has changes that no commit has; commit or stash them:\n${changed.slice(0, 10).join('\n')}`);
}

/** What serves an earlier release until this one goes first. */
function refuseEnded(released) {
  const [newest] = released.map(({ to }) => to).sort(rcompare);
  const ended = newest ? endedBy(root, newest) : [];
  if (ended.length > 0) throw new Error(`${newest} ends what these lines serve; remove it first:\n${shownLines(ended)}`);
}

function lastCommit(project) {
  const [last] = releasesOf(root, project);
  if (last && !inHistory(root, last.commit))
    throw new Error(
      `${project} ${last.version} was released from ${last.commit}, which is not in the history here: git fetch --unshallow, or check out the branch that releases are made on`,
    );
  return last?.commit;
}

/** The folders, the commit, the tags. */
function record(projects, released, commit) {
  const tags = released.map(({ project, to }) => `${project}@${to}`);
  const taken = git(root, 'tag', '--list', ...tags).trim();
  if (taken) throw new Error(`these tags are there already, but not what they released: ${taken.replaceAll('\n', ', ')}`);
  for (const { project, to: version } of released) {
    const { kind } = projects.find(({ name }) => name === project);
    addRelease(root, { project, version, commit }, (folder) => kind === 'service' && existsSync(describe) && contracts(project, folder));
  }
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', subject(tags), '--message', tags.join('\n'));
  const made = [];
  try {
    for (const tag of tags) {
      git(root, 'tag', '--annotate', tag, '--message', tag);
      made.push(tag);
    }
  } catch (error) {
    if (made.length > 0) git(root, 'tag', '--delete', ...made);
    throw error;
  }
}

function contracts(service, folder) {
  const { status } = spawnSync(process.execPath, [describe, service, folder], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`the contracts of ${service} could not be described`);
}

const LONGEST_SUBJECT = 100;
function subject(tags) {
  const all = `chore(release): ${tags.join(', ')}`;
  return all.length <= LONGEST_SUBJECT ? all : `chore(release): ${tags.length} projects`;
}

const linesOf = ({ changes }, project) =>
  changes
    .filter(({ bumps }) => bumps[project])
    .map(({ line }) => `\n    ${line}`)
    .join('');

try {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } }, allowPositionals: true });
  await release(positionals, values['dry-run']);
} catch (error) {
  console.error(`npm run release: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
