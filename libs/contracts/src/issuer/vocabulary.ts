import { vocabulary } from '../schema/vocabulary.ts';

export const authorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const;
export type AuthorityId = (typeof authorities)[number];
/** The authorities that an issuer can have. */
export const servedAuthorities = ['sandbox', 'al-cis', 'es-verifactu', 'me-efi'] as const satisfies readonly AuthorityId[];

/** Those of an environment. A test key reaches simulators alone; no connection to an authority itself is configured yet. */
export const authoritiesOf = (livemode: boolean): readonly AuthorityId[] => (livemode ? [] : servedAuthorities);

export const noAuthorityFor = (livemode: boolean): string =>
  `This installation has no tax authority for ${livemode ? 'live' : 'test'} keys.`;

const offered = (livemode: boolean): string =>
  authoritiesOf(livemode).length > 0
    ? `With a ${livemode ? 'live' : 'test'} key send one of: ${authoritiesOf(livemode).join(', ')}.`
    : `${noAuthorityFor(livemode)} With a ${livemode ? 'live' : 'test'} key send null.`;
/** What to send as the authority of an issuer. */
export const AUTHORITY_WORDS = `${offered(false)} ${offered(true)}`;

export const roundings = vocabulary('Rounding', ['line', 'precise']);
export type Rounding = (typeof roundings)[number];
