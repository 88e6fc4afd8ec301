// Conventional commit messages: which types there are, and what each means for the version of what it changes.
import preset from 'conventional-changelog-conventionalcommits';
import { CommitParser } from 'conventional-commits-parser';

/** By type; null: no release by itself. A breaking change of any type is `major`. */
const bumps = {
  feat: 'minor',
  fix: 'patch',
  perf: 'patch',
  revert: 'patch',
  refactor: null,
  docs: null,
  test: null,
  build: null,
  ci: null,
  chore: null,
  style: null,
};
export const types = Object.keys(bumps);

const parser = new CommitParser({
  ...(await preset()).parser,
  // By default a line of a sentence may begin a note too: "breaking change is …".
  notesPattern: (keywords) => new RegExp(`^(${keywords}): (.*)`),
});

/** What `git revert` writes. */
const REVERT = /^Revert "(.+)"/;

/**
 * @typedef {object} Message
 * @property {string | null} type null: the message is not conventional
 * @property {string | null} scope
 * @property {string | null} subject
 * @property {string | null} breaking what breaks, null if nothing does
 */

/** @returns {Message} */
export function parseMessage(/** @type {string} */ message) {
  const { type = null, scope = null, subject = null, notes } = parser.parse(message.replace(REVERT, 'revert: $1'));
  return { type, scope, subject, breaking: notes[0]?.text ?? null };
}

/** @returns {'major' | 'minor' | 'patch' | null} */
export const bumpOf = (/** @type {Message} */ { type, breaking }) => (type && breaking !== null ? 'major' : (bumps[type ?? ''] ?? null));

/** The line of a changelog. */
export function changelogLine(/** @type {Message} */ { scope, subject, breaking }) {
  const explained = breaking !== null && breaking !== subject ? `: ${breaking.replaceAll(/\s+/g, ' ')}` : '';
  return `${scope ? `**${scope}:** ` : ''}${subject}${explained}`;
}
