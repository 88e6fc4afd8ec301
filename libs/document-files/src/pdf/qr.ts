import { create } from 'qrcode';
import type { Sheet } from './sheet.ts';

/** Bytes that the largest QR code holds at its lowest level of correction. */
const MOST = 2_953;
/** Up to here a code has the usual correction and modules that a telephone reads on paper. */
const SHORT = 500;
/** Light modules around the code. */
const QUIET = 4;

/** A QR code of this width; nothing where the text is longer than a code can be. */
export function drawQr(sheet: Sheet, text: string, x: number, y: number, width: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST) return;
  const { modules } = create(text, { errorCorrectionLevel: bytes > SHORT ? 'L' : 'M' });
  const size = width / (modules.size + 2 * QUIET);
  const bars: [number, number, number][] = [];
  for (let row = 0; row < modules.size; row += 1)
    for (let column = 0, from = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue;
      if (column === 0 || !modules.get(row, column - 1)) from = column;
      if (column + 1 === modules.size || !modules.get(row, column + 1))
        bars.push([x + (from + QUIET) * size, y + (row + QUIET) * size, (column + 1 - from) * size]);
    }
  sheet.bars(bars, size);
}
