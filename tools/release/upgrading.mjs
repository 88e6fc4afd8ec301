// What the page about upgrades says of the way from a release: each paragraph of its section that begins in bold, with those behind it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const UPGRADING = 'helm/UPGRADING.md';

/**
 * `title`: what is bold; `text`: all of it.
 * @typedef {{ title: string, text: string }} Subject
 */

/** The page, empty where there is none. */
export function upgradingPage(/** @type {string} */ root) {
  const path = join(root, UPGRADING);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The subjects of the section `After <version>`. @returns {Subject[]} */
export function subjectsAfter(/** @type {string} */ page, /** @type {string} */ version) {
  const [, rest = ''] = page.split(`\n### After ${version}\n`);
  const [section] = rest.split(/\n##+ /);
  const subjects = [];
  for (const text of section.split('\n\n').map((paragraph) => paragraph.trim())) {
    const title = /^\*\*(.+?)\*\*/.exec(text)?.[1];
    if (title !== undefined) subjects.push({ title, text });
    else if (subjects.length > 0) subjects.at(-1).text += `\n\n${text}`;
  }
  return subjects;
}

/** Those that name a service; all of them for what has all services in it. */
export const subjectsOf = (/** @type {Subject[]} */ subjects, /** @type {string | undefined} */ service) =>
  subjects.filter(({ text }) => service === undefined || new RegExp(`(?<![\\w-])${service}(?![\\w-])`, 'i').test(text));

/** Whether it says something of the way back. */
export const isOfRollback = (/** @type {Subject} */ { text }) => /\broll(?:ed )?back\b|\bgo back\b/i.test(text);
