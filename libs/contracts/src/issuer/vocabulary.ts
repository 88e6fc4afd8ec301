export const authorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof authorities)[number];
/** The authorities that an issuer can have. */
export const servedAuthorities = ['sandbox'] as const satisfies readonly AuthorityId[];
