/** Where the national authorities take live documents, as they have published it. */
export const publishedOrigins = {
  'al-cis': 'https://efiskalizimi.tatime.gov.al',
  'me-efi': 'https://efi.tax.gov.me',
  'es-verifactu': 'https://www1.agenciatributaria.gob.es',
} as const;
