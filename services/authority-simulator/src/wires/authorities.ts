/** The national authorities that have a protocol of their own here. */
export const authorities = ['al-cis', 'me-efi', 'es-verifactu'] as const;
export type AuthorityId = (typeof authorities)[number];

export const isAuthority = (text: string): text is AuthorityId => (authorities as readonly string[]).includes(text);
