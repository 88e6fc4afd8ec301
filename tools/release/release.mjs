// npm run release -- [--dry-run] [--results FILE]… [VERSION] [PROJECT…]: releases what has changed since its last release: versions, changelogs,
// releases/<project>/<version>/, one commit, tags. Nothing is pushed. With projects: these, and the charts that name them. With a version: all of them in it.
import { parseArgs } from 'node:util';
import { valid } from 'semver';
import { root } from '../setup.mjs';
import { commitsSince, git, inHistory } from './history.mjs';
import { versionsByNx } from './nx-release.mjs';
import { planRelease } from './plan.mjs';
import { releasedProjects } from './projects.mjs';
import { record } from './record.mjs';
import { releaseTexts } from './release-texts.mjs';
import { impossible, unready } from './refusals.mjs';
import { releasesOf } from './releases.mjs';
import { resultsOf } from './results.mjs';
import { settingChanges } from './settings.mjs';
import { upgradingPage } from './upgrading.mjs';
import wordings from './wordings.json' with { type: 'json' };

async function release(only, { dryRun, asked, files }) {
  if (!dryRun) refuseChangedTree();
  const commit = git(root, 'rev-parse', 'HEAD').trim();
  const results = resultsOf(commit, files);
  const projects = releasedProjects(root);
  const settings = settingsOf(projects);
  const formatsOf = (name) => [...(results.gate?.services[name]?.formats ?? []), ...settings(name).changed.map(({ name }) => name)];
  const plan = planRelease({ projects, only, lastCommit, commitsSince: (since) => commitsSince(root, since), formatsOf, wordings });
  if (plan.changes.length === 0)
    return console.log('Nothing to release: no feat, fix, perf, revert or breaking change since the last one.');

  const names = plan.projects.filter((name) => plan.changes.some(({ bumps }) => bumps[name]));
  const reasons = unready({ root, names, projects, settings, results, lastCommit });
  if (!dryRun) refuse(reasons);
  try {
    const released = await versionsByNx(root, plan, { dryRun, asked });
    const texts = releaseTexts({ plan, released, projects, settings, results, lastCommit, page: upgradingPage(root) });
    for (const { project, from, to } of released) console.log(`\n${project} ${from === to ? to : `${from} → ${to}`}\n\n${texts[project]}`);
    refuse([...reasons, ...impossible({ root, released, asked })]);
    if (dryRun) return console.log('Nothing is changed: --dry-run.');
    record({ projects, released, commit, texts });
  } catch (error) {
    const undo = `git reset --hard ${commit.slice(0, 12)} && git clean -fd releases services helm`;
    if (!dryRun) console.error(`The tree has what was written until now: ${undo}`);
    throw error;
  }
  console.log('Committed and tagged. Publish it: git push --atomic --follow-tags, then npm run release:supply for the images and charts.');
}

/** What a commit has not, a release would not have either. */
function refuseChangedTree() {
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length > 0)
    throw new Error(`the tree has changes that no commit has; commit or stash them:\n${changed.slice(0, 10).join('\n')}`);
}

function refuse(reasons) {
  if (reasons.length > 0) throw new Error(`refused:\n${reasons.map((reason) => `- ${reason}`).join('\n')}`);
}

function lastCommit(project) {
  const [last] = releasesOf(root, project);
  if (last && !inHistory(root, last.commit))
    throw new Error(
      `${project} ${last.version} was released from ${last.commit}, which is not in the history here: git fetch --unshallow, or check out the branch that releases are made on`,
    );
  return last?.commit;
}

/** What has changed in the settings or values of a project since its last release. */
function settingsOf(projects) {
  const none = { added: [], removed: [], changed: [] };
  const known = new Map(
    projects.map(({ name, kind }) => {
      const since = lastCommit(name);
      return [name, since === undefined ? none : settingChanges(root, since, kind, name.replace(/-chart$/, ''))];
    }),
  );
  return (project) => known.get(project) ?? none;
}

const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, results: { type: 'string', multiple: true, default: [] } };
try {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [asked] = positionals.filter((name) => valid(name));
  const only = positionals.filter((name) => name !== asked);
  await release(only, { dryRun: values['dry-run'], asked, files: values.results });
} catch (error) {
  console.error(`npm run release: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
