import { create } from 'qrcode';

/** Bytes that the largest QR code holds at this level of correction. */
const MOST = 2_331;
/** Light modules around the code. */
const QUIET = 4;

/** A QR code (level M, as authorities ask for) as an SVG of one unit a module; undefined where there is no text, or a longer one than a code can hold. */
export function qrSvg(text: string): string | undefined {
  if (text === '' || Buffer.byteLength(text) > MOST) return undefined;
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const size = modules.size + 2 * QUIET;
  const path: string[] = [];
  for (let row = 0; row < modules.size; row += 1)
    for (let column = 0; column < modules.size; column += 1)
      if (modules.get(row, column)) path.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${path.join('')}"/></svg>\n`;
}
