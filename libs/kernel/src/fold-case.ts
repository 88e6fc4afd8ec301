/**
 * A text by which texts compare without case: Unicode's full case folding, in NFC, at most three times as long. `ß` and `ẞ` are `ss`, the final
 * sigma is a sigma. Turkish `İ` and `ı` are `i` too, which the folding for all languages keeps apart. For filters; what is one name and what
 * two is not decided by it.
 */
export const foldCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');

/** A tax id by which two ways of writing it compare: without spaces, dots, dashes and slashes, in capitals. */
export const compactTaxId = (taxId: string): string => taxId.replaceAll(/[\s\p{Pd}./]/gu, '').toUpperCase();
