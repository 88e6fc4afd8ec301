// Which services run beside their last release.

/**
 * The services that a change touches, those whose own files it changes before those that use a library of it; among equals each commit begins with another one,
 * so that a bound in minutes does not omit the same ones for ever.
 *
 * @param {{ services: string[], projects: import('./release/projects.mjs').Project[], files: string[], commit: string }} change `commit`: its id
 * @returns {string[]}
 */
export function touched({ services, projects, files, commit }) {
  const turn = Number.parseInt(commit.slice(0, 8), 16) % services.length;
  const inTurn = [...services.slice(turn), ...services.slice(0, turn)];
  const concerned = inTurn.flatMap((name) => projects.filter((project) => project.name === name && project.concernedBy(files)));
  const isOwn = ({ root }) => files.some((file) => file.startsWith(`${root}/`));
  return [...concerned.filter(isOwn), ...concerned.filter((project) => !isOwn(project))].map(({ name }) => name);
}
