import { isRawNumber, numberText } from '@svc/kernel';

/** Where a spreadsheet would take what follows for a formula: at the start, and behind what another one separates cells and lines by. */
const FORMULA = /^(?=[\t\r])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])/g;
const SPECIAL = /[",;\t\r\n]/;
/** Most texts have none of these. */
const UNSAFE = /^[=+\-@＝＋－＠]|[",;\t\r\n]/;

/**
 * A cell as RFC 4180 writes it. Numbers as JSON prints them, null as nothing; what a spreadsheet would calculate gets an apostrophe before it.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || isRawNumber(value)) return numberText(value);
  const plain = String(value);
  if (!UNSAFE.test(plain)) return plain;
  const text = plain.replace(FORMULA, "'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line without its end. */
export const csvLine = (columns: readonly string[], fields: Record<string, unknown>): string =>
  columns.map((column) => csvCell(fields[column])).join(',');
