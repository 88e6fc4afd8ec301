import { dateOf } from '@svc/kernel';
import PDFDocument from 'pdfkit';
import { fonts } from './fonts.ts';

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
  /** The time that the file states, ISO 8601: of the document, so that the same document gives the same bytes. */
  made: string;
}

export const lineHeight = ({ size }: Style): number => size * 1.4;

/** Characters of a word that are measured at a time: no word is measured whole that a line cannot hold. */
const LONGEST_WORD = 60;

/** Line breaks too: they would let a small document fill thousands of pages. */
const SPACE = /[ \t\n\v\f\r\u0085\u2028\u2029]/;

/** Pages that text is placed on by its upper left corner, in points. */
export function createSheet({ title, author, language, made }: SheetOptions) {
  const pdf = new PDFDocument({
    ...{ autoFirstPage: false, bufferPages: true, font: '', lang: language, displayTitle: true, margin: 0 },
    info: { Title: title, Author: author, Creator: 'Invoicing', Producer: 'PDFKit', CreationDate: dateOf(made) },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.once('end', resolve));
  const { regular, bold } = fonts();
  pdf.registerFont('regular', regular).registerFont('bold', bold);

  const use = ({ size, bold = false }: Style): void => void pdf.font(bold ? 'bold' : 'regular').fontSize(size);
  const measured = (text: string): number => pdf.widthOfString(text, { lineBreak: false });

  return {
    addPage(width: number, height: number): void {
      pdf.addPage({ size: [width, height], margin: 0 });
    },

    width(text: string, style: Style): number {
      use(style);
      return measured(text);
    },

    write(text: string, x: number, y: number, style: Style): void {
      if (text === '') return;
      use(style);
      pdf.fillColor(style.color ?? '#000000').text(text, x, y, { lineBreak: false });
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

    /** Lines of at most this width, one at least. A word that is too long is divided. */
    wrap(text: string, width: number, style: Style): string[] {
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
    },

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
