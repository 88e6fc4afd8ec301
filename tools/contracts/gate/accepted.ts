import { readFileSync } from 'node:fs';
import type { Break } from './break.ts';

/** Breaks that were judged to be harmless. */
export interface Accepted {
  /** The id of a break as the gate prints it, with `*` for any text: one field can break several events and operations. Or several of them. */
  break: string | string[];
  /** Why no reader is broken, and until when the entry is needed. */
  because: string;
  /** The release describes a form that nothing stored since it was released: only so a break of what is stored can be accepted. */
  isStoredNowhere?: true;
}

/** Reads `accepted.json`. Throws on an entry without a reason. */
export function acceptedIn(path: string): Accepted[] {
  const entries = JSON.parse(readFileSync(path, 'utf8')) as Accepted[];
  for (const { break: id, because } of entries)
    if (!id || !because) throw new Error(`${path}: each entry has "break", an id that npm run gate prints, and "because", the reason`);
  return entries;
}

interface Judged {
  refused: Break[];
  harmless: (Break & { because: string })[];
  /** Entries that accept nothing, with the reason. */
  useless: string[];
}

export function judged(breaks: readonly Break[], entries: readonly Accepted[]): Judged {
  const accepts = (entry: Accepted, { isAcceptable }: Break): boolean => isAcceptable || entry.isStoredNowhere === true;
  const reasonOf = (one: Break): string | undefined => entries.find((entry) => isFor(entry, one.id) && accepts(entry, one))?.because;
  return {
    refused: breaks.filter((one) => reasonOf(one) === undefined),
    harmless: breaks.flatMap((one) => {
      const because = reasonOf(one);
      return because === undefined ? [] : [{ ...one, because }];
    }),
    useless: entries.flatMap((entry) =>
      [entry.break].flat().flatMap((pattern) => {
        const found = breaks.filter(({ id }) => isFor({ ...entry, break: pattern }, id));
        if (found.some((one) => accepts(entry, one))) return [];
        return [found.length > 0 ? `${pattern} cannot be accepted: it is stored` : `${pattern} is no break: delete the entry`];
      }),
    ),
  };
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

const isFor = ({ break: patterns }: Accepted, id: string): boolean =>
  [patterns].flat().some((pattern) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(id));
