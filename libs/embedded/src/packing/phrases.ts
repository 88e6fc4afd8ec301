import type { DatabaseSync } from 'node:sqlite';
import { createBytePacking, createByteUnpacking, isOfBytes } from './pack-bytes.ts';

/** Codes of one byte: the most frequent phrases. The other control characters begin codes of two bytes. */
const SHORT_CODES = 20;
const SECOND_BYTES = { from: 0x20, count: 0x60 };
const MOST_PHRASES = SHORT_CODES + (0x1e - SHORT_CODES) * SECOND_BYTES.count;
/** Begins a packed text; in one, the character behind it stands for itself. */
const MARK = '\x1f';
/** Of longer texts a few decide how much memory is needed to unpack them. */
const LONGEST_TEXT = 65_536;
const SHORTEST_TEXT = 100;
const CONTROL = /[\0-\x1f]/;
const CONTROLS = /[\0-\x1f]/g;

/**
 * Packs texts, JSON above all: a phrase that often recurs, such as the names of consecutive fields, is stored as one or two bytes that begin with a
 * control character, which JSON never contains. A packed text begins with a mark, which texts of before do not.
 */
export class Phrases {
  private readonly codes = new Map<string, string>();
  private readonly short: string[] = [];
  private readonly long: string[][] = [];
  private readonly any: RegExp | undefined;
  private readonly packBytes: (text: string) => string | undefined;
  private readonly unpackBytes: (stored: string) => string | undefined;

  /** `phrases`: each has the code of its place, so that others can only be added at the end. */
  private constructor(phrases: readonly string[]) {
    phrases.forEach((phrase, n) => {
      if (n < SHORT_CODES) {
        this.short[n + 1] = phrase;
        this.codes.set(phrase, String.fromCharCode(n + 1));
        return;
      }
      const first = SHORT_CODES + 1 + Math.floor((n - SHORT_CODES) / SECOND_BYTES.count);
      const second = SECOND_BYTES.from + ((n - SHORT_CODES) % SECOND_BYTES.count);
      (this.long[first] ??= [])[second] = phrase;
      this.codes.set(phrase, String.fromCharCode(first, second));
    });
    const longestFirst = phrases.toSorted((a, b) => b.length - a.length).map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    if (longestFirst.length > 0) this.any = new RegExp(longestFirst.join('|'), 'g');
    this.packBytes = createBytePacking(this.codes, { mark: MARK, longest: LONGEST_TEXT });
    this.unpackBytes = createByteUnpacking(this.codes, { longest: LONGEST_TEXT });
  }

  /** Those that the database has, in the order in which they were added, after adding those of `more` that it lacks. */
  static of(db: DatabaseSync, more: readonly string[] = []): Phrases {
    const known = (db.prepare('SELECT phrase FROM phrases ORDER BY code').all() as { phrase: string }[]).map(({ phrase }) => phrase);
    const all = [...new Set([...known, ...more])].slice(0, MOST_PHRASES);
    const add = db.prepare('INSERT INTO phrases(code, phrase) VALUES (?, ?)');
    if (all.length > known.length) {
      db.exec('BEGIN IMMEDIATE');
      for (let code = known.length; code < all.length; code += 1) add.run(code, all[code] as string);
      db.exec('COMMIT');
    }
    return new Phrases(all);
  }

  /** The text as it is to be stored: itself where packing is not worth while, or where it has control characters. */
  pack(text: string): string {
    if (text.startsWith(MARK)) return MARK + text.replace(CONTROLS, (control) => MARK + control);
    if (!this.any || text.length < SHORTEST_TEXT || text.length > LONGEST_TEXT) return text;
    const packed = isOfBytes(text) ? this.packBytes(text) : this.packCharacters(text, this.any);
    return packed !== undefined && packed.length < text.length ? packed : text;
  }

  /** undefined: the text has control characters. */
  private packCharacters(text: string, any: RegExp): string | undefined {
    return CONTROL.test(text) ? undefined : MARK + text.replace(any, (phrase) => this.codes.get(phrase) as string);
  }

  /** The text that is stored as this one. */
  unpack(stored: string): string {
    if (!stored.startsWith(MARK)) return stored;
    return (isOfBytes(stored) ? this.unpackBytes(stored) : undefined) ?? this.unpackCharacters(stored);
  }

  private unpackCharacters(stored: string): string {
    let text = '';
    let from = 1;
    for (let at = 1; at < stored.length; at += 1) {
      const code = stored.charCodeAt(at);
      if (code >= SECOND_BYTES.from) continue;
      text += stored.slice(from, at);
      if (code <= SHORT_CODES) text += this.short[code];
      else {
        at += 1;
        text += stored[at - 1] === MARK ? stored[at] : this.long[code]?.[stored.charCodeAt(at)];
      }
      from = at + 1;
    }
    return text + stored.slice(from);
  }
}
