// Which commits stand in which changelog: each once.
import { bumpOf, changelogLine, parseMessage } from './commits.mjs';
import { homeOf } from './homes.mjs';

/**
 * Lines by type of commit (`breaking` besides); `elsewhere`: how many commits changed the project, and stand in the changelog of another one.
 * @typedef {{ lines: Record<string, string[]>, elsewhere: Record<string, number> }} Entries
 *
 * `chosen`: names of the projects that are released; `rangeOf`: the commits since a project's last release, newest first; undefined: it has none.
 * @param {{
 *   projects: import('./projects.mjs').Project[],
 *   chosen: string[],
 *   rangeOf: (project: string) => import('./history.mjs').Commit[] | undefined,
 * }} given
 * @returns {Record<string, Entries>} by project
 */
export function entriesOf({ projects, chosen, rangeOf }) {
  const entries = Object.fromEntries(chosen.map((name) => [name, { lines: {}, elsewhere: {} }]));
  const hashes = new Map(projects.map(({ name }) => [name, new Set(rangeOf(name)?.map(({ hash }) => hash))]));
  const isNew = ({ hash }, name) => hashes.get(name)?.has(hash) === true;
  // A commit that came by two branches has two ids, and is one change.
  const commits = new Map(chosen.flatMap((name) => rangeOf(name) ?? []).map((commit) => [changeOf(commit), commit]));

  for (const commit of commits.values()) {
    const message = parseMessage(commit.message);
    if (!bumpOf(message)) continue;
    const concerned = projects.filter(({ concernedBy }) => concernedBy(commit.files)).map(({ name }) => name);
    const home = homeOf({ scope: message.scope, files: commit.files, projects });
    const released = concerned.filter((name) => chosen.includes(name) && isNew(commit, name));
    if (home === undefined || released.length === 0) continue;
    for (const name of released) if (name !== home) entries[name].elsewhere[home] = (entries[name].elsewhere[home] ?? 0) + 1;
    // Where the home is none of those that the commit concerns, its entry came with the first of them.
    const isDue = concerned.includes(home) ? released.includes(home) : concerned.every((name) => isNew(commit, name));
    if (isDue && entries[home]) add(entries[home].lines, message.breaking !== null ? 'breaking' : message.type, lineOf(message, home));
  }
  return entries;
}

/** The scope says nothing where it is the project. */
const lineOf = (message, home) => changelogLine(message.scope === home ? { ...message, scope: null } : message);

const changeOf = ({ message, files }) => [message, ...files].join('\n');

function add(lines, type, line) {
  lines[type] = [...(lines[type] ?? []), line];
}
