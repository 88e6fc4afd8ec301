import LineBreaker from 'linebreak';
import { clusters, directionMark } from './bidi.ts';

/** Width of a text, in points. */
type Measured = (text: string) => number;

/** Characters of a word that are measured at a time: no word is measured whole that a line cannot hold. */
const LONGEST_WORD = 60;

/** Separators of older documents too; paragraphs are divided at line breaks before. */
const SPACE = /[ \t\v\f\r\u0085\u2028\u2029]/;
const SPACES = new RegExp(SPACE, 'g');

/** Lines of at most this width, one at least, by spaces alone; a word that is too long is divided. For text that is plain. */
export function wrapPlain(text: string, width: number, measured: Measured): string[] {
  const space = measured(' ');
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const put = (word: string, wide: number): void => {
    const fits = line === '' || used + space + wide <= width;
    if (!fits) lines.push(line);
    [line, used] = fits && line !== '' ? [`${line} ${word}`, used + space + wide] : [word, wide];
  };
  for (const word of text.split(SPACE)) {
    const wide = word.length <= LONGEST_WORD ? measured(word) : Infinity;
    if (wide <= width) put(word, wide);
    else for (const part of parts(word, width, measured)) put(part, measured(part));
  }
  return [...lines, line];
}

/** A word in pieces of at most this width, by whole characters. */
function* parts(word: string, width: number, measured: Measured): Generator<string> {
  let [part, used] = ['', 0];
  for (const char of word) {
    const wide = measured(char);
    if (part !== '' && used + wide > width) {
      yield part;
      [part, used] = ['', 0];
    }
    part += char;
    used += wide;
  }
  yield part;
}

/** The same for text in every script: lines break where Unicode allows it (UAX #14); what no line can hold is divided between clusters (UAX #29). */
export function wrapAny(paragraph: string, width: number, measured: Measured): string[] {
  const text = paragraph.replace(SPACES, ' ');
  const mark = directionMark(text);
  const lines: string[] = [];
  let [line, used] = ['', 0];
  const put = (piece: string, visible: number, wide: number): void => {
    if (line !== '' && used + visible > width) {
      lines.push(mark + line.trimEnd());
      [line, used] = ['', 0];
    }
    [line, used] = [line + piece, used + wide];
  };
  for (const piece of unbreakable(text)) {
    const word = piece.trimEnd();
    const visible = word.length <= LONGEST_WORD ? measured(word) : Infinity;
    const spaces = piece.length - word.length;
    if (visible <= width) put(piece, visible, visible + (spaces > 0 ? spaces * measured(' ') : 0));
    else
      for (const { segment } of clusters(piece)) {
        const wide = measured(segment);
        put(segment, wide, wide);
      }
  }
  return [...lines, mark + line.trimEnd()];
}

/** Scripts without spaces between words, which UAX #14 leaves to dictionaries. */
const WITHOUT_SPACES = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;
/** Its dictionaries are read when a text needs them first. */
const wordsOf = (text: string) => (segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })).segment(text);

/** The pieces of a text between which a line may break. */
function* unbreakable(text: string): Generator<string> {
  const breaker = new LineBreaker(text);
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const piece = text.slice(from, next.position);
    from = next.position;
    if (WITHOUT_SPACES.test(piece)) yield* words(piece);
    else yield piece;
  }
}

/** Words with the punctuation after them. */
function* words(piece: string): Generator<string> {
  let word = '';
  for (const { segment, isWordLike } of wordsOf(piece)) {
    if (isWordLike && /[\p{L}\p{N}]$|\p{M}$/u.test(word)) {
      yield word;
      word = '';
    }
    word += segment;
  }
  if (word !== '') yield word;
}
