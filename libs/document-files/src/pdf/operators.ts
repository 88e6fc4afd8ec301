/** What pdfkit has opened of a font. */
export interface OpenFont {
  id: string;
  /** In thousandths of its size. */
  ascender: number;
  ref(): unknown;
  /** Glyphs in hexadecimal digits; positions in thousandths of the size. */
  encode(text: string, features?: readonly string[]): [glyphs: string[], positions: Position[]];
}

interface Position {
  xAdvance: number;
  advanceWidth: number;
  xOffset: number;
  yOffset: number;
}

const number = (value: number): string => String(Math.round(value * 1_000) / 1_000);

/**
 * The operators that show a text in a font (ISO 32000-1, 9.4.3). pdfkit writes some ten pieces for each text, which a line in several fonts has many of: that would
 * take a hundred times the memory.
 */
export function operatorsOf(font: OpenFont, size: number, text: string, features?: readonly string[]): string {
  const [glyphs, positions] = font.encode(text, features);
  let shown = '';
  /** What the next glyph is moved to the right by, and how high it stands. */
  let [shift, rise] = [0, 0];
  let all = `/${font.id} ${number(size)} Tf [`;
  for (const [n, glyph] of glyphs.entries()) {
    const { xAdvance, advanceWidth, xOffset, yOffset } = positions[n] as Position;
    const move = shift + xOffset;
    if (shown !== '' && (number(move) !== '0' || yOffset !== rise)) {
      all += `<${shown}>`;
      shown = '';
    }
    if (yOffset !== rise) all += `] TJ ${number((yOffset * size) / 1_000)} Ts [`;
    if (number(move) !== '0') all += number(-move);
    rise = yOffset;
    shown += glyph;
    shift = xAdvance - advanceWidth - xOffset;
  }
  if (shown !== '') all += `<${shown}>`;
  if (number(shift) !== '0') all += number(-shift);
  return `${all}] TJ${rise === 0 ? '' : ' 0 Ts'}`;
}
