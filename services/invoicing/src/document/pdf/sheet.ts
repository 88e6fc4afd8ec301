import { dateOf } from '@svc/kernel';
import LineBreaker from 'linebreak';
import PDFDocument from 'pdfkit';
import { clusters, isRightToLeft, RIGHT_TO_LEFT_MARK, runsOf, type Run } from './bidi.ts';
import { font, fontFile, type FontName } from './fonts.ts';
import { fontsFor, isPlain } from './scripts.ts';

/** Points. */
export interface Style {
  size: number;
  bold?: boolean;
  color?: string;
}

export interface SheetOptions {
  title: string;
  author: string;
  /** BCP 47. */
  language: string;
  /** Whose form Han characters have. */
  han: FontName;
  /** The time that the file states, ISO 8601: of the document, so that the same document gives the same bytes. */
  made: string;
}

export const lineHeight = ({ size }: Style): number => size * 1.4;

/** Characters of a word that are measured at a time: no word is measured whole that a line cannot hold. */
const LONGEST_WORD = 60;

/** Separators of older documents too; line breaks are told apart before. */
const SPACE = /[ \t\v\f\r\u0085\u2028\u2029]/;

const SPACES = new RegExp(SPACE, 'g');

const REORDERED: ReadonlySet<FontName> = new Set(['thai', 'bengali', 'base']);

/** What pdfkit has opened of a font. */
interface OpenFont {
  font: { hasGlyphForCodePoint(codePoint: number): boolean };
  /** In thousandths of its size. */
  ascender: number;
}

/** Pages that text is placed on by its upper left corner, in points. */
export function createSheet({ title, author, language, han, made }: SheetOptions) {
  const pdf = new PDFDocument({
    ...{ autoFirstPage: false, bufferPages: true, font: '', lang: language, displayTitle: true, margin: 0 },
    info: { Title: title, Author: author, Creator: 'Invoicing', Producer: 'PDFKit', CreationDate: dateOf(made) },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.once('end', resolve));
  const registered = new Set<string>();

  /** Makes it the current font, and returns it. */
  const take = (name: FontName, { size, bold = false }: Style): OpenFont => {
    const path = fontFile(name, bold);
    if (!registered.has(path)) pdf.registerFont(path, font(path));
    registered.add(path);
    return (pdf.font(path).fontSize(size) as unknown as { _font: OpenFont })._font;
  };
  const use = (style: Style): void => void take('base', style);
  const measured = (text: string): number => pdf.widthOfString(text, { lineBreak: false });

  const chosen = new Map<string, FontName>();

  /** The first font that has the first character of a cluster; the base font with its box where none has. Remembered for this document. */
  const fontOf = (cluster: string, style: Style): FontName => {
    const character = String.fromCodePoint(cluster.codePointAt(0) as number);
    const known = chosen.get(character);
    if (known) return known;
    const has = (name: FontName): boolean => take(name, style).font.hasGlyphForCodePoint(character.codePointAt(0) as number);
    const found = fontsFor(character, han).find(has) ?? 'base';
    chosen.set(character, found);
    return found;
  };

  /** A run with its width: in the base font, as boxes, where fontkit cannot place its marks and throws (some sequences of Thai that no word has). */
  const laidOut = (run: Run, style: Style): Run & { width: number } => {
    take(run.font, style);
    try {
      return { ...run, width: measured(run.text) };
    } catch (error) {
      if (run.font === 'base') throw error;
      return laidOut({ ...run, font: 'base' }, style);
    }
  };

  /** What a text is drawn of. */
  const runsIn = (text: string, style: Style): (Run & { width: number })[] =>
    runsOf(text, (cluster) => fontOf(cluster, style)).map((run) => laidOut(run, style));

  const widthOf = (text: string, style: Style): number => {
    if (!isPlain(text)) return runsIn(text, style).reduce((sum, { width }) => sum + width, 0);
    use(style);
    return measured(text);
  };

  /** Lines by the places where Unicode allows a break (UAX #14); what no line can hold is divided between clusters (UAX #29). */
  function wrapRuns(text: string, width: number, style: Style): string[] {
    const start = isRightToLeft(text) ? RIGHT_TO_LEFT_MARK : '';
    const lines: string[] = [];
    let [line, used] = ['', 0];
    const put = (piece: string, visible: number, wide: number): void => {
      if (line !== '' && used + visible > width) {
        lines.push(start + line.trimEnd());
        [line, used] = ['', 0];
      }
      [line, used] = [line + piece, used + wide];
    };
    const breaker = new LineBreaker(text);
    let from = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const piece = text.slice(from, next.position);
      from = next.position;
      const visible = piece.length <= LONGEST_WORD ? widthOf(piece.trimEnd(), style) : Infinity;
      if (visible <= width) put(piece, visible, visible + (piece.endsWith(' ') ? widthOf(' ', style) : 0));
      else
        for (const { segment } of clusters(piece)) {
          const wide = widthOf(segment, style);
          put(segment, wide, wide);
        }
    }
    return [...lines, start + line.trimEnd()];
  }

  function wrapPlain(text: string, width: number, style: Style): string[] {
    use(style);
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

  return {
    addPage(width: number, height: number): void {
      pdf.addPage({ size: [width, height], margin: 0 });
    },

    width: widthOf,

    write(text: string, x: number, y: number, style: Style): void {
      if (text === '') return;
      const color = style.color ?? '#000000';
      if (isPlain(text)) {
        use(style);
        pdf.fillColor(color).text(text, x, y, { lineBreak: false });
        return;
      }
      // Fonts stand at different heights above their baselines: all runs share that of the base font.
      const baseline = y + (take('base', style).ascender / 1000) * style.size;
      let at = x;
      for (const run of runsIn(text, style)) {
        take(run.font, style);
        // The glyphs of some scripts are not in the order of their characters, or are parts of them: the text is stated for who copies it.
        const isStated = REORDERED.has(run.font);
        if (isStated) pdf.markContent('Span', { actual: run.text });
        pdf.fillColor(color).text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        if (isStated) pdf.endMarkedContent();
        at += run.width;
      }
    },

    /** Ends at `right`. */
    writeTo(text: string, right: number, y: number, style: Style): void {
      this.write(text, right - this.width(text, style), y, style);
    },

    /** Ends at `right`; smaller where it is wider than this. */
    writeWithin(text: string, right: number, width: number, y: number, style: Style): void {
      const wide = this.width(text, style);
      this.writeTo(text, right, y, wide > width ? { ...style, size: (style.size * width) / wide } : style);
    },

    /** Lines of at most this width, one at least, and one for each line break. A word that is too long is divided. */
    wrap: (text: string, width: number, style: Style): string[] =>
      text
        .split('\n')
        .flatMap((paragraph) =>
          isPlain(paragraph) ? wrapPlain(paragraph, width, style) : wrapRuns(paragraph.replace(SPACES, ' '), width, style),
        ),

    rule(x: number, to: number, y: number, width = 0.5): void {
      pdf.moveTo(x, y).lineTo(to, y).lineWidth(width).strokeColor('#888888').stroke();
    },

    /** Dark bars of this height. */
    bars(bars: [x: number, y: number, width: number][], height: number): void {
      for (const [x, y, width] of bars) pdf.rect(x, y, width, height);
      pdf.fill('#000000');
    },

    /** Large and pale across the page, to be written over. */
    mark(text: string, width: number, height: number): void {
      const size = Math.min(110, (0.9 * width) / (this.width(text, { size: 1, bold: true }) * Math.SQRT1_2));
      pdf.save().rotate(-45, { origin: [width / 2, height / 2] });
      const style = { size, bold: true, color: '#ebebeb' };
      this.write(text, (width - this.width(text, style)) / 2, (height - lineHeight(style)) / 2, style);
      pdf.restore();
    },

    /** Draws on every page, when all pages are there. */
    onEachPage(draw: (n: number, of: number) => void): void {
      const { count } = pdf.bufferedPageRange();
      for (let n = 0; n < count; n += 1) {
        pdf.switchToPage(n);
        draw(n + 1, count);
      }
    },

    async bytes(): Promise<Uint8Array<ArrayBuffer>> {
      pdf.end();
      await ended;
      return Uint8Array.from(Buffer.concat(chunks));
    },
  };
}

export type Sheet = ReturnType<typeof createSheet>;

/** A word in pieces of at most this width, by whole characters. */
function* parts(word: string, width: number, measured: (text: string) => number): Generator<string> {
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
