import { readFileSync } from 'node:fs';
import type { Break } from './break.ts';

/** Breaks that were judged to be harmless. */
export interface Accepted {
  /** The id of a break as the gate prints it, with `*` for any text: one field can break several events and operations. */
  break: string;
  /** Why no reader is broken, and until when the entry is needed. */
  because: string;
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
  const reasonOf = ({ id, isAcceptable }: Break): string | undefined =>
    isAcceptable ? entries.find((entry) => isFor(entry, id))?.because : undefined;
  return {
    refused: breaks.filter((one) => reasonOf(one) === undefined),
    harmless: breaks.flatMap((one) => {
      const because = reasonOf(one);
      return because === undefined ? [] : [{ ...one, because }];
    }),
    useless: entries.flatMap((entry) => {
      const found = breaks.filter(({ id }) => isFor(entry, id));
      if (found.some(({ isAcceptable }) => isAcceptable)) return [];
      return [found.length > 0 ? `${entry.break} cannot be accepted: it is stored` : `${entry.break} is no break: delete the entry`];
    }),
  };
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

const isFor = ({ break: pattern }: Accepted, id: string): boolean => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(id);
