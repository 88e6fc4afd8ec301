// The entry of a release in the changelog of its project.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AFTER, BEFORE } from './upgrade-notes.mjs';

const FILE = 'CHANGELOG.md';
/** The sections of commits, by type; those that break something stand before the upgrade. */
const SECTIONS = { feat: 'Added', fix: 'Fixed', perf: 'Faster', revert: 'Taken back' };

/**
 * `used`: what the project names and is released with it, with versions. `notes`: of `upgradeNotes`; a first release has none.
 * @param {{
 *   version: string,
 *   date: string,
 *   notes: Record<string, string[]>,
 *   entries: import('./entries.mjs').Entries,
 *   used: { project: string, to: string }[],
 * }} release
 */
export function changelogEntry({ version, date, notes, entries: { lines, elsewhere }, used }) {
  const sections = [
    ...[BEFORE, AFTER].filter((title) => notes[title]).map((title) => [title, notes[title]]),
    ...Object.entries(SECTIONS)
      .filter(([type]) => lines[type])
      .map(([type, title]) => [title, lines[type]]),
    ...(used.length > 0 ? [['Of what it uses', used.map(({ project, to }) => `Updated ${project} to ${to}`)]] : []),
    ...(Object.keys(elsewhere).length > 0 ? [['In other changelogs', Object.entries(elsewhere).map(changesOf)]] : []),
  ];
  return [
    `## ${version} (${date})`,
    ...sections.map(([title, items]) => [`### ${title}`, '', ...items.map((item) => `- ${item}`)].join('\n')),
  ]
    .join('\n\n')
    .concat('\n');
}

const changesOf = ([project, count]) => `${count} ${count === 1 ? 'change' : 'changes'} of this project: in that of ${project}`;

/** Puts an entry before those of earlier releases. */
export function addToChangelog(/** @type {string} */ folder, /** @type {string} */ entry) {
  const path = join(folder, FILE);
  const earlier = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, [entry, ...(earlier === '' ? [] : [earlier])].join('\n'));
}
