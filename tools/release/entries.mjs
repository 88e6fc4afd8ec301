// Which commits stand in which changelog: each once, where it changes what a release has had.
import { bumpOf, changelogLine, parseMessage } from './commits.mjs';
import { homeOf } from './homes.mjs';
import { isShipped } from './projects.mjs';

/**
 * Lines by type of commit (`breaking` besides); `elsewhere`: how many commits changed the project, and stand in the changelog of another one.
 * @typedef {{ lines: Record<string, string[]>, elsewhere: Record<string, number> }} Entries
 *
 * `wordings`: by the subject of a commit, what its line says instead, nothing for none. `chosen`: names of the projects that are released; `rangeOf`: the commits since a project's last release, newest first; undefined: it has none.
 * @param {{
 *   projects: import('./projects.mjs').Project[],
 *   chosen: string[],
 *   wordings?: Record<string, string>,
 *   rangeOf: (project: string) => import('./history.mjs').Commit[] | undefined,
 * }} given
 * @returns {Record<string, Entries>} by project
 */
export function entriesOf({ projects, chosen, rangeOf, wordings = {} }) {
  const entries = Object.fromEntries(chosen.map((name) => [name, { lines: {}, elsewhere: {} }]));
  const hashes = new Map(projects.map(({ name }) => [name, new Set(rangeOf(name)?.map(({ hash }) => hash))]));
  const unreleased = once((commits) => unreleasedFiles(commits));
  const isNew = ({ hash }, name) => hashes.get(name)?.has(hash) === true;
  // A commit that came by two branches has two ids, and is one change.
  const commits = new Map(chosen.flatMap((name) => rangeOf(name) ?? []).map((commit) => [changeOf(commit), commit]));

  for (const commit of commits.values()) {
    const { subject, ...parsed } = parseMessage(commit.message);
    const message = { ...parsed, subject: wordings[subject] ?? subject };
    if (!bumpOf(message) || message.subject === '') continue;
    const concerned = projects.filter(({ concernedBy }) => concernedBy(commit.files)).map(({ name }) => name);
    const home = homeOf({ scope: message.scope, files: commit.files, projects });
    const released = concerned.filter((name) => chosen.includes(name) && isNew(commit, name));
    if (home === undefined || released.length === 0) continue;
    if (!isOfReaders(message, commit, unreleased(rangeOf(home) ?? []))) continue;
    for (const name of released) if (name !== home) entries[name].elsewhere[home] = (entries[name].elsewhere[home] ?? 0) + 1;
    // Where the home is none of those that the commit concerns, its entry came with the first of them.
    const isDue = concerned.includes(home) ? released.includes(home) : concerned.every((name) => isNew(commit, name));
    if (isDue && entries[home]) add(entries[home].lines, message.breaking !== null ? 'breaking' : message.type, lineOf(message, home));
  }
  return entries;
}

/** Scopes of what no image and no chart has, although a file of theirs may be in one. */
const OF_DEVELOPERS = ['bench', 'ci', 'release', 'rig', 'test', 'tests', 'tools'];
/** What mends something. */
const MENDING = ['fix', 'perf', 'revert'];
const REVERTED = /^This reverts commit /m;

/**
 * Whether it concerns those who read a changelog. Not where it mends what came with a feature since the last release, which no one has had, or makes a library
 * faster. A revert is of such a commit, unless it names its commit.
 */
function isOfReaders({ type, scope, breaking }, { message, files }, unreleased) {
  if (breaking !== null) return true;
  if (OF_DEVELOPERS.includes(scope) || (type === 'revert' && !REVERTED.test(message))) return false;
  if (type === 'perf' && files.some((file) => file.startsWith(`libs/${scope}/`))) return false;
  return !MENDING.includes(type) || !files.filter(isShipped).every((file) => unreleased.has(file));
}

/** Files that came with a feature, by all their names. @returns {Set<string>} */
function unreleasedFiles(/** @type {import('./history.mjs').Commit[]} */ commits) {
  const found = new Set();
  for (const { message, added, moved } of commits.toReversed()) {
    if (parseMessage(message).type === 'feat') for (const file of added) found.add(file);
    for (const [from, to] of moved) if (found.has(from)) found.add(to);
  }
  return found;
}

/** Projects that were released from one commit have the same commits. */
function once(read) {
  const known = new Map();
  return (given) => known.get(given) ?? known.set(given, read(given)).get(given);
}

/** The scope says nothing where it is the project. */
const lineOf = (message, home) => changelogLine(message.scope === home ? { ...message, scope: null } : message);

const changeOf = ({ message, files }) => [message, ...files].join('\n');

function add(lines, type, line) {
  lines[type] = [...(lines[type] ?? []), line];
}
