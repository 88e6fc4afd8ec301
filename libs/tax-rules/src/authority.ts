import { alCis } from './authorities/al-cis.ts';
import type { AuthorityRules } from './authorities/authority-rules.ts';
import { esVerifactu } from './authorities/es-verifactu.ts';

const byAuthority: ReadonlyMap<string | null | undefined, AuthorityRules> = new Map([alCis, esVerifactu].map((rules) => [rules.id, rules]));

/** Of an issuer's authority; undefined of one that takes whatever the law permits. */
export const rulesOfAuthority = (authority: string | null | undefined): AuthorityRules | undefined => byAuthority.get(authority);
