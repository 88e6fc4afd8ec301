import { isRawNumber, numberText } from '@svc/kernel';

/** A text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/**
 * A cell as RFC 4180 writes it. Numbers as JSON prints them, null as nothing; a text that a spreadsheet would calculate gets an apostrophe before it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || isRawNumber(value)) return numberText(value);
  const text = FORMULA.test(String(value)) ? `'${String(value)}` : String(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line without its end. */
export const csvLine = (columns: readonly string[], fields: Record<string, unknown>): string =>
  columns.map((column) => csvCell(fields[column])).join(',');
