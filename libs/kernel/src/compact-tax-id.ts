/** A tax id by which two ways of writing it compare: without spaces, dots, dashes and slashes, in capitals. */
export const compactTaxId = (taxId: string): string => taxId.replaceAll(/[\s\p{Pd}./]/gu, '').toUpperCase();
