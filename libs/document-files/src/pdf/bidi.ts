import bidiOf from 'bidi-js';

let made: ReturnType<typeof bidiOf> | undefined;
/** Its tables are read when a text needs them first. */
const bidi = () => (made ??= bidiOf());
let segmenter: Intl.Segmenter | undefined;
const clustersOf = (text: string) => (segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })).segment(text);

/** What a text is drawn in; undefined is the base font. */
export type FaceOf<Face> = (cluster: string) => Face | undefined;

/** A piece of text in one font, in the order in which it is read. */
export interface Piece<Face> {
  text: string;
  face: Face | undefined;
}

/** A piece in one direction too. */
export interface Run<Face> extends Piece<Face> {
  isRightToLeft: boolean;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** What only says how others are ordered. */
const CONTROLS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** At the beginning of each line of a paragraph that needs it: how the paragraph is read. Nothing where it has no letter from right to left. */
export function directionMark(paragraph: string): string {
  if (!RIGHT_TO_LEFT.test(paragraph)) return '';
  return (bidi().getEmbeddingLevels(paragraph).paragraphs[0]?.level ?? 0) % 2 === 1 ? '\u200f' : '\u200e';
}

/** What may belong to the character before it. */
const JOINED = /[\p{M}\p{Emoji_Modifier}\u200c\u200d\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u{1f1e6}-\u{1f1ff}]/u;

/** Grapheme clusters (UAX #29) with their places. */
export const clusters = (text: string): Iterable<{ segment: string; index: number }> =>
  JOINED.test(text) ? clustersOf(text) : characters(text);

/** The same where each character stands for itself, which is many times faster. */
function* characters(text: string): Generator<{ segment: string; index: number }> {
  let index = 0;
  for (const segment of text) {
    yield { segment, index };
    index += segment.length;
  }
}

/** Pieces in one font each, without controls of direction. */
export function piecesOf<Face>(text: string, faceOf: FaceOf<Face>): Piece<Face>[] {
  const pieces: Piece<Face>[] = [];
  for (const { segment } of clusters(text.replace(CONTROLS, ''))) {
    const face = faceOf(segment);
    const last = pieces.at(-1);
    if (last && last.face === face) last.text += segment;
    else pieces.push({ text: segment, face });
  }
  return pieces;
}

/** The runs of a line from left to right, by the Unicode Bidirectional Algorithm (UAX #9), rules L2 and L4 included. */
export function runsOf<Face>(line: string, faceOf: FaceOf<Face>): Run<Face>[] {
  if (!RIGHT_TO_LEFT.test(line)) return piecesOf(line, faceOf).map((piece) => ({ ...piece, isRightToLeft: false }));
  const { levels } = bidi().getEmbeddingLevels(line);
  const runs: (Run<Face> & { level: number })[] = [];
  for (const { segment, index } of clusters(line)) {
    const cluster = segment.replace(CONTROLS, '');
    if (cluster === '') continue;
    const level = levels[index] ?? 0;
    const face = faceOf(cluster);
    const last = runs.at(-1);
    if (last?.level === level && last.face === face) last.text += cluster;
    else runs.push({ text: cluster, face, level, isRightToLeft: level % 2 === 1 });
  }
  return inVisualOrder(runs).map((run) => (run.isRightToLeft && !run.face ? { ...run, text: turned(run.text) } : run));
}

/** From right to left in a font that is laid out from left to right: its clusters in the other order, brackets mirrored. */
function turned(text: string): string {
  const all = [...clusters(text)].map(({ segment }) => bidi().getMirroredCharacter(segment) ?? segment);
  return all.reverse().join('');
}

/** Rule L2: from the highest level to the lowest odd one, reverses what is at that level or above. Levels are 126 at most. */
function inVisualOrder<Leveled extends { level: number }>(runs: readonly Leveled[]): Leveled[] {
  let ordered = [...runs];
  for (let level = runs.reduce((most, run) => Math.max(most, run.level), 0); level >= 1; level -= 1) {
    const next: Leveled[] = [];
    let above: Leveled[] = [];
    for (const run of ordered) {
      if (run.level >= level) above.push(run);
      else {
        next.push(...above.reverse(), run);
        above = [];
      }
    }
    ordered = [...next, ...above.reverse()];
  }
  return ordered;
}
