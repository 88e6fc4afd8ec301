import { dateOf } from '@svc/kernel';
import PDFDocument from 'pdfkit';
import { piecesOf, runsOf } from './bidi.ts';
import { baseFont } from './fonts.ts';
import { operatorsOf, type OpenFont } from './operators.ts';
import { isPlain } from './scripts.ts';
import type { Typeface, Typefaces } from './typefaces.ts';
import { wrapAny, wrapPlain } from './wrap.ts';

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
  /** What draws what the base font has not; null for a document that has nothing of it. */
  faces: Typefaces | null;
  /** The time that the file states, ISO 8601: of the document, so that the same document gives the same bytes. */
  made: string;
}

export const lineHeight = ({ size }: Style): number => size * 1.4;

/** Widths of texts that are kept for a document: of characters and short words, which repeat. */
const MOST_WIDTHS = 50_000;

/** Pages that text is placed on by its upper left corner, in points. */
export function createSheet({ title, author, language, faces, made }: SheetOptions) {
  const pdf = new PDFDocument({
    ...{ autoFirstPage: false, bufferPages: true, font: '', lang: language, displayTitle: true, margin: 0 },
    info: { Title: title, Author: author, Creator: 'Invoicing', Producer: 'PDFKit', CreationDate: dateOf(made) },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.once('end', resolve));
  const { regular, bold } = baseFont();
  pdf.registerFont('regular', regular).registerFont('bold', bold);

  const use = ({ size, bold: isBold = false }: Style) => pdf.font(isBold ? 'bold' : 'regular').fontSize(size);
  const measured = (text: string): number => pdf.widthOfString(text, { lineBreak: false });

  const faceOf = (style: Style) => (cluster: string) => faces?.of(cluster.codePointAt(0) as number, style.bold ?? false);
  const registered = new Set<string>();
  /** Makes a font the current one. */
  const take = (face: Typeface | undefined, style: Style): typeof pdf => {
    if (!faces || !face) return use(style);
    if (!registered.has(face.name)) pdf.registerFont(face.name, faces.open(face));
    registered.add(face.name);
    return pdf.font(face.name).fontSize(style.size);
  };

  /** In the bold and in the regular font, of size 1. */
  const widths = { bold: new Map<string, number>(), regular: new Map<string, number>() };
  const widthOf = (text: string, style: Style): number => {
    if (isPlain(text)) {
      use(style);
      return measured(text);
    }
    const known = widths[style.bold ? 'bold' : 'regular'];
    const before = known.get(text);
    if (before !== undefined) return before * style.size;
    use({ ...style, size: 1 });
    let width = 0;
    for (const { text: piece, face } of piecesOf(text, faceOf(style)))
      width += faces && face ? faces.advanceOf(face, piece) : measured(piece);
    if (known.size < MOST_WIDTHS) known.set(text, width);
    return width * style.size;
  };

  /** Fonts stand at different heights above their baselines: all runs share that of the base font. */
  const writeRuns = (text: string, x: number, y: number, style: Style): void => {
    const { size } = style;
    const baseline = y + (current(use(style)).ascender / 1000) * size;
    const operators = runsOf(text, faceOf(style)).map(({ text: piece, face, isRightToLeft }) => {
      const font = current(take(face, style));
      pdf.page.fonts[font.id] ??= font.ref();
      return operatorsOf(font, size, piece, face && directed(isRightToLeft));
    });
    const at = `1 0 0 1 ${x.toFixed(3)} ${(pdf.page.height - baseline).toFixed(3)} Tm`;
    pdf
      .fillColor(style.color ?? '#000000')
      .save()
      .transform(1, 0, 0, -1, 0, pdf.page.height);
    pdf.addContent(['BT', at, ...operators, 'ET'].join(' ')).restore();
  };

  return {
    addPage(width: number, height: number): void {
      pdf.addPage({ size: [width, height], margin: 0 });
    },

    width: widthOf,

    write(text: string, x: number, y: number, style: Style): void {
      if (text === '') return;
      if (!isPlain(text)) return writeRuns(text, x, y, style);
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

    /** Lines of at most this width, one at least, and one for each line break. A word that is too long is divided. */
    wrap: (text: string, width: number, style: Style): string[] =>
      text.split('\n').flatMap((paragraph) => (isPlain(paragraph) ? wrapPlain : wrapAny)(paragraph, width, (part) => widthOf(part, style))),

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

/** How the fonts of `typefaces.ts` take the direction of a run. */
const directed = (isRightToLeft: boolean): readonly string[] => (isRightToLeft ? ['rtla'] : []);

const current = (pdf: PDFKit.PDFDocument): OpenFont => (pdf as unknown as { _font: OpenFont })._font;
