// Why a release is refused.
import { gt, rcompare } from 'semver';
import { endedBy, shownLines } from './until.mjs';
import { UPGRADING, upgradingPage } from './upgrading.mjs';

/**
 * Why these projects are not ready, whatever their versions will be.
 * @param {{
 *   root: string,
 *   names: string[],
 *   projects: import('./projects.mjs').Project[],
 *   settings: (project: string) => import('./settings.mjs').SettingChanges,
 *   results: import('./results.mjs').Results,
 *   lastCommit: (project: string) => string | undefined,
 * }} release
 * @returns {string[]} each with what ends it
 */
export function unready({ root, names, projects, settings, results, lastCommit }) {
  const services = projects.filter(({ name, kind }) => kind === 'service' && names.includes(name));
  return [
    ...unchecked({ services: services.map(({ name }) => ({ name, last: lastCommit(name) })), results }),
    ...unexplained(root, names, settings),
  ];
}

/**
 * Why these versions cannot be. `asked`: the one that all are to have.
 * @param {{ root: string, released: { project: string, from: string, to: string }[], asked: string | undefined }} release
 * @returns {string[]}
 */
export function impossible({ root, released, asked }) {
  const above = released.filter(({ from, to }) => asked !== undefined && from !== to && gt(to, asked));
  return [
    ...above.map(({ project, to }) => `${project} has changes that make it ${to}, and ${asked} is asked for`),
    ...ended(root, released),
  ];
}

/** What serves an earlier release until this one goes first. */
function ended(root, released) {
  const [newest] = released.map(({ to }) => to).sort(rcompare);
  const lines = newest ? endedBy(root, newest) : [];
  return lines.length > 0 ? [`${newest} ends what these lines serve; remove it first:\n${shownLines(lines)}`] : [];
}

/** Settings that are gone or have another default, which the page about upgrades has to name. */
function unexplained(root, names, settings) {
  const page = upgradingPage(root);
  return names.flatMap((project) => {
    const { removed, changed } = settings(project);
    return [...removed, ...changed.map(({ name }) => name)]
      .filter((name) => !page.includes(`\`${name}`))
      .map((name) => `\`${name}\` of ${project} is gone or has another default, and ${UPGRADING} does not name it: say what to do`);
  });
}

/**
 * `services`: those that get a release, with the commit of their last one; undefined: none.
 * @param {{ services: { name: string, last: string | undefined }[], results: import('./results.mjs').Results }} given
 * @returns {string[]} a line each, with the command that ends it
 */
export function unchecked({ services, results: { gate, mixed = {} } }) {
  const ofGate = gate?.passed ? [] : [`the contract gate has ${gate ? 'failed' : 'not run'} for this commit: npm run gate`];
  const ofMixed = services.flatMap(({ name, last }) => {
    // Nothing runs beside a first release.
    if (last === undefined) return [];
    const found = mixed[name];
    const why = !found ? 'has not run' : !found.passed ? 'has failed' : found.from !== last ? `ran from ${found.from}` : undefined;
    return why ? [`${name} beside its last release ${why} for this commit: npm run test:mixed (-- SERVICE… runs some)`] : [];
  });
  return [...ofGate, ...ofMixed];
}
