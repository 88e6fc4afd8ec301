export const authorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof authorities)[number];
/** What an issuer can be given today. */
export const servedAuthorities = ['sandbox'] as const satisfies readonly AuthorityId[];
