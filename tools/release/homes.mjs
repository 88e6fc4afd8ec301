// Where the entry of a commit stands: once, in the changelog of the project whose behaviour it changes.

/**
 * The project that a commit's scope names, if its files concern it; otherwise the one that has most of the files: a service before a chart. A commit of a
 * library or of what all charts have in them: the only service that uses it, or the chart of all services.
 *
 * @param {{ scope: string | null, files: string[], projects: import('./projects.mjs').Project[] }} given
 * @returns {string | undefined} undefined: it concerns no project
 */
export function homeOf({ scope, files, projects }) {
  const concerned = projects.filter(({ concernedBy }) => concernedBy(files));
  if (concerned.length === 0) return undefined;
  const named = concerned.find(({ name }) => name === scope);
  if (named) return named.name;
  const services = concerned.filter(({ kind }) => kind === 'service');
  const charts = concerned.filter(({ kind }) => kind === 'chart');
  const own = services.length > 0 ? (ownerOf(services, files) ?? only(services)) : (ownerOf(charts, files) ?? only(charts));
  return (own ?? ofAll(projects)).name;
}

/** The one that has most of the files in its own folder. */
function ownerOf(projects, files) {
  const counted = projects.map((project) => ({ project, own: files.filter((file) => file.startsWith(`${project.root}/`)).length }));
  const [first, second] = counted.filter(({ own }) => own > 0).sort((a, b) => b.own - a.own);
  return first && (!second || first.own > second.own) ? first.project : undefined;
}

const only = (projects) => (projects.length === 1 ? projects[0] : undefined);

/** The chart that uses the most others. */
const ofAll = (projects) => [...projects].sort((a, b) => b.uses.length - a.uses.length)[0];
