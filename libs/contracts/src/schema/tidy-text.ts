import { hasTooManyMarks } from './decorators/text.ts';

/**
 * A text as it is stored and compared: trimmed, in NFC, with `\n` for `\r\n`. What every schema rejects is not normalized: lone surrogates, and
 * runs of marks whose NFC takes quadratic time.
 */
export function tidyText(text: string): string {
  const tidied = tidyAscii(text);
  return tidied.isWellFormed() && !hasTooManyMarks(tidied) ? tidied.normalize('NFC') : tidied;
}

/** The same for a text of ASCII characters alone, which is in NFC. */
export const tidyAscii = (text: string): string => text.trim().replaceAll('\r\n', '\n');
