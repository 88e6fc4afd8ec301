import { en } from './en.ts';

/** A text, or its forms by number: `one` and `other`, as Intl.PluralRules names them. */
export type Text = string | { one: string; other: string };
export type Key = keyof typeof en;
export type Values = Record<string, string | number>;

const language = 'en';
/** How dates and numbers are written: as in the reader's country where they read this language there. */
export const locale = navigator.languages.find((one) => one.startsWith(`${language}-`)) ?? 'en-GB';
const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(locale);

/** Characters by which a value turns what follows it in the other direction. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Such a value between marks that end its direction with it. It cannot end them itself. */
const apart = (value: string): string => (TURNS.test(value) ? `\u2068${value.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : value);

/** The text of a key. `{name}` in it becomes the value of that name; `count` chooses the form. */
export function t(key: Key, values: Values = {}): string {
  const text: Text = en[key];
  const form = typeof text === 'string' ? text : text[plural.select(Number(values['count'] ?? 0)) === 'one' ? 'one' : 'other'];
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number.format(value) : apart(value);
  });
}

/** The text of a name that the interface gives, such as a status or a role; the name itself where the catalogue has none. */
export function named(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return key in en ? t(key as Key) : name.replaceAll(/[_.]/g, ' ');
}
