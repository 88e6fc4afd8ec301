// What a release leaves in the repository: changelogs, folders, a commit, tags.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { addToChangelog } from './changelog.mjs';
import { git } from './history.mjs';
import { setOneProcess } from './one-process.mjs';
import { isUmbrella } from './projects.mjs';
import { addRelease } from './releases.mjs';

const describe = join(root, 'tools/contracts/describe.mjs');

/**
 * @param {{
 *   projects: import('./projects.mjs').Project[],
 *   released: { project: string, to: string }[],
 *   commit: string,
 *   texts: Record<string, string>,
 * }} release `commit`: the one that is released; `texts`: the entries of changelogs, by project
 */
export function record({ projects, released, commit, texts }) {
  const tags = released.map(({ project, to }) => `${project}@${to}`);
  const taken = git(root, 'tag', '--list', ...tags).trim();
  if (taken) throw new Error(`these tags are there already, but not what they released: ${taken.replaceAll('\n', ', ')}`);
  for (const { project, to: version } of released) {
    const { kind, root: folder } = projects.find(({ name }) => name === project);
    addToChangelog(join(root, folder), texts[project]);
    addRelease(root, { project, version, commit }, (into) => kind === 'service' && existsSync(describe) && contracts(project, into));
  }
  const umbrella = projects.find((one) => isUmbrella(one, projects));
  const ofAll = released.find(({ project }) => project === umbrella?.name);
  if (ofAll) setOneProcess(root, ofAll.to);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', subject(tags), '--message', tags.join('\n'));
  addTags(tags);
}

/** All, or none. */
function addTags(tags) {
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
