// The entries of changelogs that a release writes.
import { changelogEntry } from './changelog.mjs';
import { isUmbrella } from './projects.mjs';
import { upgradeNotes } from './upgrade-notes.mjs';
import { subjectsAfter, subjectsOf } from './upgrading.mjs';

/**
 * @param {{
 *   plan: import('./plan.mjs').Plan,
 *   released: { project: string, from: string, to: string }[],
 *   projects: import('./projects.mjs').Project[],
 *   settings: (project: string) => import('./settings.mjs').SettingChanges,
 *   results: import('./results.mjs').Results,
 *   lastCommit: (project: string) => string | undefined,
 *   page: string,
 * }} release `page`: of upgrades
 * @returns {Record<string, string>} by project
 */
export function releaseTexts({ plan, released, projects, settings, results, lastCommit, page }) {
  const date = new Date().toISOString().slice(0, 10);
  const textOf = ({ project, from, to: version }) => {
    const entries = plan.entries[project];
    const found = projects.find(({ name }) => name === project);
    const { uses, kind } = found;
    const hasAll = isUmbrella(found, projects);
    const used = released.filter((one) => uses.includes(one.project));
    const notes =
      lastCommit(project) === undefined
        ? {}
        : upgradeNotes({
            settings: settings(project),
            // A service ignores variables that it does not know; a chart refuses such values.
            ...(kind === 'service' && { unknown: [] }),
            promises: results.gate?.services[project],
            breaking: entries.lines.breaking ?? [],
            // A chart's are those of its service.
            subjects: hasAll || kind === 'service' ? subjectsOf(subjectsAfter(page, from), hasAll ? undefined : project) : [],
          });
    return changelogEntry({ version, date, notes, entries, used });
  };
  return Object.fromEntries(released.map((one) => [one.project, textOf(one)]));
}
