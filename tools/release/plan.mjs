// What a release would contain: which commits since the last release of each project concern it, and what each means for its version.
import { bumpOf, changelogLine, parseMessage } from './commits.mjs';
import { entriesOf } from './entries.mjs';

/**
 * A commit, or that a project has not been released before. `bumps`: by project.
 * @typedef {{ line: string, bumps: Record<string, 'major' | 'minor' | 'patch'> }} Change
 *
 * `changes`: newest first of each project; `projects`: the names of those that may be released, in the order of the given ones; `entries`: of their changelogs.
 * @typedef {{ changes: Change[], projects: string[], entries: Record<string, import('./entries.mjs').Entries> }} Plan
 */

/** The key of the change that a project has not been released before; others have the hash of their commit. */
const FIRST = 'first';
const FIRST_LINE = 'First release.';

/**
 * `only`: names of projects; they are released with the charts that name them, the others stay as they are. Empty: all.
 * `lastCommit`: the commit from which a project was released last; undefined: never. `commitsSince`: those after it, newest first.
 * @param {{
 *   projects: import('./projects.mjs').Project[],
 *   only: string[],
 *   lastCommit: (project: string) => string | undefined,
 *   commitsSince: (commit: string) => import('./history.mjs').Commit[],
 *   formatsOf?: (project: string) => string[],
 *   wordings?: Record<string, string>,
 * }} given `wordings`: as entries.mjs has them; `formatsOf`: changes of a project's data format or defaults, which raise more than the last number
 * @returns {Plan}
 */
export function planRelease({ projects, only, lastCommit, commitsSince, formatsOf = () => [], wordings = {} }) {
  const chosen = only.length === 0 ? projects : withDependents(projects, only);
  refuseUnreleasedUses(chosen, lastCommit);
  /** @type {Map<string, Change>} by commit */
  const changes = new Map();
  const commitsAfter = once(commitsSince);
  for (const { name, concernedBy } of chosen) {
    const since = lastCommit(name);
    if (since === undefined) add(changes, FIRST, FIRST_LINE, name, 'minor');
    else
      for (const { hash, message, files } of commitsAfter(since)) {
        const parsed = parseMessage(message);
        const bump = bumpOf(parsed);
        if (bump && concernedBy(files)) add(changes, hash, changelogLine(parsed), name, bump);
      }
  }
  addChangesOfCharts(changes, chosen);
  raise(changes, chosen, formatsOf);
  const names = chosen.map(({ name }) => name);
  const rangeOf = (name) => (lastCommit(name) === undefined ? undefined : commitsAfter(lastCommit(name)));
  const entries = entriesOf({ projects, chosen: names, rangeOf, wordings });
  for (const name of names) if (lastCommit(name) === undefined) entries[name].lines = { feat: [FIRST_LINE] };
  return { changes: [...changes.values()], projects: names, entries };
}

/** A project whose commits release nothing keeps its format: what is stored is another one by a commit of its own or of what it uses. */
function raise(changes, chosen, formatsOf) {
  for (const { name, version } of chosen) {
    const [first, ...more] = formatsOf(name);
    const isReleased = [...changes].some(([key, { bumps }]) => key !== FIRST && bumps[name]);
    if (first === undefined || !isReleased) continue;
    // Of 0.x the second number counts breaks, which Nx makes of a major one.
    const bump = version.startsWith('0.') ? 'major' : 'minor';
    const which = more.length > 0 ? `${first} and ${more.length} more` : first;
    add(changes, `format of ${name}`, `Another format or default: ${which}`, name, bump);
  }
}

/** Values of the charts in a chart are values of it: what is released of those changes it. */
function addChangesOfCharts(changes, chosen) {
  const isChart = new Set(chosen.filter(({ kind }) => kind === 'chart').map(({ name }) => name));
  for (const { name, uses } of chosen)
    for (const used of uses)
      if (isChart.has(used)) for (const [key, { bumps }] of changes) if (key !== FIRST && bumps[used]) bumps[name] ??= bumps[used];
}

function withDependents(projects, only) {
  const known = projects.map(({ name }) => name);
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no such project: ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  const chosen = new Set(only);
  // Each round adds those that use what the one before has added; there are no more levels than projects.
  for (const _ of projects) for (const { name, uses } of projects) if (uses.some((used) => chosen.has(used))) chosen.add(name);
  return projects.filter(({ name }) => chosen.has(name));
}

/** The manifest of a chart would name a version that cannot be pulled. */
function refuseUnreleasedUses(chosen, lastCommit) {
  const names = new Set(chosen.map(({ name }) => name));
  const unreleased = new Set(chosen.flatMap(({ uses }) => uses).filter((used) => !names.has(used) && lastCommit(used) === undefined));
  if (unreleased.size > 0) throw new Error(`not released yet, and needed by what is: ${[...unreleased].join(', ')}; name them too`);
}

function add(changes, key, line, project, bump) {
  const change = changes.get(key) ?? { line, bumps: {} };
  change.bumps[project] = bump;
  changes.set(key, change);
}

/** Many projects were released from one commit. */
function once(read) {
  const known = new Map();
  return (commit) => {
    if (!known.has(commit)) known.set(commit, read(commit));
    return known.get(commit);
  };
}
