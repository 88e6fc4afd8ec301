import { vocabulary } from '../schema/vocabulary.ts';

export const authorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof authorities)[number];
/** The authorities that an issuer can have. */
export const servedAuthorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const satisfies readonly AuthorityId[];

/** Those of an environment. A test key reaches simulators alone, and the sandbox is nothing else. */
export const authoritiesOf = (livemode: boolean): readonly AuthorityId[] =>
  servedAuthorities.filter((authority) => !livemode || authority !== 'sandbox');

const offered = (livemode: boolean): string =>
  `With a ${livemode ? 'live' : 'test'} key send one of: ${authoritiesOf(livemode).join(', ')}.`;
/** What to send as the authority of an issuer. */
export const AUTHORITY_WORDS = `${offered(false)} ${offered(true)}`;

export const roundings = vocabulary('Rounding', ['line', 'precise']);
export type Rounding = (typeof roundings)[number];
