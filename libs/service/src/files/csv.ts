import { isRawNumber, numberText } from '@svc/kernel';

/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;
/** Either of them: most texts are neither. */
const UNSAFE = new RegExp(`${FORMULA.source}|${SPECIAL.source}`);

/**
 * A cell as RFC 4180 writes it. Numbers as JSON prints them, null as nothing; a text that a spreadsheet would calculate gets an apostrophe before it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || isRawNumber(value)) return numberText(value);
  const plain = String(value);
  if (!UNSAFE.test(plain)) return plain;
  const text = FORMULA.test(plain) ? `'${plain}` : plain;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line without its end. */
export const csvLine = (columns: readonly string[], fields: Record<string, unknown>): string =>
  columns.map((column) => csvCell(fields[column])).join(',');
