// The entries of changelogs that a release writes.
import { changelogEntry } from './changelog.mjs';
import { upgradeNotes } from './upgrade-notes.mjs';

/**
 * @param {{
 *   plan: import('./plan.mjs').Plan,
 *   released: { project: string, to: string }[],
 *   projects: import('./projects.mjs').Project[],
 *   settings: (project: string) => import('./settings.mjs').SettingChanges,
 *   results: import('./results.mjs').Results,
 *   lastCommit: (project: string) => string | undefined,
 * }} release
 * @returns {Record<string, string>} by project
 */
export function releaseTexts({ plan, released, projects, settings, results, lastCommit }) {
  const date = new Date().toISOString().slice(0, 10);
  const textOf = ({ project, to: version }) => {
    const entries = plan.entries[project];
    const { uses } = projects.find(({ name }) => name === project);
    const used = released.filter((one) => uses.includes(one.project));
    const notes =
      lastCommit(project) === undefined
        ? {}
        : upgradeNotes({
            settings: settings(project),
            promises: results.gate?.services[project],
            breaking: entries.lines.breaking ?? [],
          });
    return changelogEntry({ version, date, notes, entries, used });
  };
  return Object.fromEntries(released.map((one) => [one.project, textOf(one)]));
}
