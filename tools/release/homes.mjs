// Where the entry of a commit stands: once, in the changelog of the project whose behaviour it changes.

/** Scopes of what charts are made of, also where a service has a part in it. */
const OF_CHARTS = ['charts', 'deploy', 'helm'];
/** The scope of the one process, which has all services in it and no release of its own. */
const ONE_PROCESS = 'standalone';

/**
 * The project that a commit's scope names, if its files concern it; otherwise the one that alone has most of the files: a service before a chart. A commit that
 * changes more files of libraries, or of what all charts have in them, than of one project: the only one that it concerns, or the chart of all services.
 *
 * @param {{ scope: string | null, files: string[], projects: import('./projects.mjs').Project[] }} given
 * @returns {string | undefined} undefined: it concerns no project
 */
export function homeOf({ scope, files, projects }) {
  const concerned = projects.filter(({ concernedBy }) => concernedBy(files));
  if (concerned.length === 0) return undefined;
  const named = concerned.find(({ name }) => name === scope);
  if (named) return named.name;
  const of = (kind) => concerned.filter((project) => project.kind === kind);
  const [services, charts] = [of('service'), of('chart')];
  const isOfCharts = charts.length > 0 && (services.length === 0 || OF_CHARTS.includes(scope));
  const own = scope === ONE_PROCESS ? undefined : ownerOf(isOfCharts ? charts : services, files);
  return (own ?? ofAll(projects)).name;
}

/** The one that alone has most of the files. */
function ownerOf(projects, files) {
  if (projects.length === 1) return projects[0];
  const owners = files.map((file) => projects.filter(({ concernedBy }) => concernedBy([file])));
  const shared = owners.filter(({ length }) => length > 1).length;
  const counted = projects.map((project) => ({ project, own: owners.filter((of) => of.length === 1 && of[0] === project).length }));
  const [first, second] = counted.sort((a, b) => b.own - a.own);
  return first.own > second.own && first.own >= shared ? first.project : undefined;
}

/** The chart that uses the most others. */
const ofAll = (projects) => [...projects].sort((a, b) => b.uses.length - a.uses.length)[0];
