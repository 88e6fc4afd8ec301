// The two sections that each release has: what to know before an upgrade, and what a rollback to the release before it means.

import { isOfRollback, UPGRADING } from './upgrading.mjs';

export const BEFORE = 'Before you upgrade';
export const AFTER = 'After a rollback';

/** The last sentence of reasons in accepted.json: of use to the gate alone. */
const UNTIL = /\s*Needed until [^.]*(\.\d[^.]*)*\.$/;

/**
 * `unknown`: what is added and the release before may refuse, by default all of it; `breaking`: lines of breaking changes; `promises`: of the gate, absent where a project promises nothing to others; `subjects`: of the page about upgrades.
 * @param {{
 *   settings: import('./settings.mjs').SettingChanges,
 *   unknown?: string[],
 *   subjects: import('./upgrading.mjs').Subject[],
 *   promises?: import('./results.mjs').Promises | undefined,
 *   breaking: string[],
 * }} given
 * @returns {Record<string, string[]>} lines by section
 */
export function upgradeNotes({ settings, unknown = settings.added, promises: { accepted } = { accepted: [] }, breaking, subjects }) {
  const { added, removed, changed } = settings;
  const isStored = ({ id }) => id.startsWith('stored ');
  const defaults = changed.map(({ name, from, to }) => `\`${name}\` (${shown(from)} before, now ${shown(to)})`);
  const before = [
    ...breaking,
    ...fromPage(subjects),
    ...listed('Gone, and without effect or refused', named(removed)),
    ...listed('With another default', defaults),
    ...listed('New', named(added)),
    ...reasons(accepted.filter((one) => !isStored(one))),
  ];
  // What reads an earlier release concerns no rollback.
  const after = [
    ...fromPage(subjects.filter(isOfRollback)),
    ...reasons(accepted.filter((one) => isStored(one) && !/ read /.test(one.id))),
    ...(unknown.length > 0 ? ['The release before does not know the new ones above: take them out again where it refuses them.'] : []),
  ];
  return {
    [BEFORE]: before.length > 0 ? before : ['Nothing has to be done.'],
    [AFTER]: after.length > 0 ? after : ['The release before reads all that this one has stored.'],
  };
}

const fromPage = (subjects) => (subjects.length > 0 ? [`In ${UPGRADING}: ${subjects.map(({ title }) => title).join('; ')}.`] : []);
const code = (name) => `\`${name}\``;
/** Those of one part of the values stand together: `global.canary.{prometheus, stepSeconds}`. */
const named = (names) =>
  [...Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('.') + 1))].flatMap(([part, of]) =>
    part === '' || of.length === 1 ? of.map(code) : [code(`${part}{${of.map((name) => name.slice(part.length)).join(', ')}}`)],
  );
const shown = (text) => (text === '' ? 'empty' : `\`${text}\``);
const listed = (what, names) => (names.length > 0 ? [`${what}: ${names.join(', ')}.`] : []);

/** A line for each reason, with what it is about: one reason accepts several breaks. */
const reasons = (accepted) =>
  [...Map.groupBy(accepted, ({ because }) => because.replace(UNTIL, ''))].map(([because, same]) => {
    const subjects = [...new Set(same.map(({ id }) => subjectOf(id)))];
    const more = subjects.length > MOST_NAMED ? ` and ${subjects.length - MOST_NAMED} more` : '';
    return `${subjects.slice(0, MOST_NAMED).map(code).join(', ')}${more}: ${because}`;
  });

const MOST_NAMED = 4;

/** The operation or the event in the id of a break: `openapi GET /v1/invoices …`, `stored invoice.InvoiceNumbered …`. */
const subjectOf = (id) => /^openapi ([A-Z]+ \S+)/.exec(id)?.[1] ?? id.split(' ')[1];
