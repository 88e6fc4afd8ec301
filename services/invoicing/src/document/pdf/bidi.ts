import bidiOf from 'bidi-js';
import type { FontName } from './fonts.ts';

const bidi = bidiOf();
const clustersOf = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A piece of a line, in the order in which pieces are drawn from left to right. Its text is in the order in which it is read. */
export interface Run {
  text: string;
  font: FontName;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** What only says how others are ordered. */
const CONTROLS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
/** At the beginning of a line: its paragraph is read from right to left. */
export const RIGHT_TO_LEFT_MARK = '\u200f';

export const isRightToLeft = (text: string): boolean =>
  RIGHT_TO_LEFT.test(text) && (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1;

/** What may belong to the character before it. */
const JOINED = /[\p{M}\p{Emoji_Modifier}\u200c\u200d\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{1f1e6}-\u{1f1ff}]/u;

/** Grapheme clusters (UAX #29) with their places. */
export const clusters = (text: string): Iterable<{ segment: string; index: number }> =>
  JOINED.test(text) ? clustersOf.segment(text) : characters(text);

/** The same where each character stands for itself, which is many times faster. */
function* characters(text: string): Generator<{ segment: string; index: number }> {
  let index = 0;
  for (const segment of text) {
    yield { segment, index };
    index += segment.length;
  }
}

interface Token extends Run {
  level: number;
}

/** Fonts of scripts that are read from right to left: what is drawn in them is turned when it is laid out. */
const TURNING: ReadonlySet<FontName> = new Set(['arabic', 'hebrew']);

/** The runs of a line by the Unicode Bidirectional Algorithm (UAX #9), rules L2 and L4 included. `fontOf`: of a cluster. Linear but for the levels, at most 126. */
export function runsOf(text: string, fontOf: (cluster: string) => FontName): Run[] {
  const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text).levels : undefined;
  const tokens: Token[] = [];
  for (const { segment, index } of clusters(text)) {
    const cluster = levels ? segment.replace(CONTROLS, '') : segment;
    if (cluster === '') continue;
    const level = levels?.[index] ?? 0;
    const last = tokens.at(-1);
    const isOdd = level % 2 === 1;
    const font = fontOf(cluster);
    // Within a run from right to left words are drawn one by one, since pdfkit lays out each by itself.
    const joins = last?.level === level && last.font === font && !(isOdd && (cluster === ' ' || last.text === ' '));
    if (!joins) tokens.push({ text: isOdd ? mirrored(cluster, font) : cluster, font, level });
    else if (isOdd && !TURNING.has(font)) last.text = mirrored(cluster, font) + last.text;
    else last.text += cluster;
  }
  return levels ? inVisualOrder(tokens) : tokens;
}

/** Brackets of a run from right to left, where the font does not turn them. */
const mirrored = (cluster: string, font: FontName): string =>
  TURNING.has(font) ? cluster : (bidi.getMirroredCharacter(cluster) ?? cluster);

/** Rule L2: from the highest level to the lowest odd one, reverses what is at that level or above. */
function inVisualOrder(tokens: readonly Token[]): Token[] {
  const ordered = [...tokens];
  const highest = tokens.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level >= 1; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && (ordered[to] as Token).level >= level) to += 1;
      if (to - from > 1) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to - 1);
    }
  return ordered;
}
