import { al } from './countries/al.ts';
import { es } from './countries/es.ts';
import { me } from './countries/me.ts';
import { sandbox } from './countries/sandbox.ts';
import type { CountryRules } from './rules.ts';
import { alCis } from './authorities/al-cis.ts';
import type { AuthorityRules } from './authorities/authority-rules.ts';
import { esVerifactu } from './authorities/es-verifactu.ts';
import { meEfi } from './authorities/me-efi.ts';

const byCountry: ReadonlyMap<string | null | undefined, CountryRules> = new Map([
  ['AL', al],
  ['ES', es],
  ['ME', me],
]);

/** By the issuer's country, ISO 3166-1 alpha-2: of an issued document the one that is frozen in it. Any other has the rules of the sandbox. */
export const rulesOf = (country: string | null | undefined): CountryRules => byCountry.get(country) ?? sandbox;

const byAuthority: ReadonlyMap<string | null | undefined, AuthorityRules> = new Map(
  [alCis, esVerifactu, meEfi].map((rules) => [rules.id, rules]),
);

/** Of an issuer's authority; undefined of one that takes whatever the law permits. */
export const rulesOfAuthority = (authority: string | null | undefined): AuthorityRules | undefined => byAuthority.get(authority);
