import { compactTaxId } from '@svc/kernel';

/** What follows the prefix, by prefix: the structures of VIES (European Commission, FAQ Q11), of HMRC, of Norway and of Switzerland. */
const structures: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  // The UID alone is none.
  CH: /^E\d{9}(?:MWST|TVA|IVA|TPV)$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?!\d{9}$)[\dA-Z]\d{7}[\dA-Z]$/,
  FI: /^\d{8}$/,
  FR: /^[\dA-HJ-NP-Z]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[\dA-Z+*]{9}B\d{2}$/,
  // The number of the organisation alone is none.
  NO: /^\d{9}MVA$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
};

/** Countries whose prefix is another than their code, and territories that have the VAT of a country. */
const territories: Readonly<Record<string, string>> = {
  ...{ GR: 'EL', MC: 'FR', IM: 'GB', LI: 'CH', AX: 'FI' },
  ...{ BL: 'FR', GF: 'FR', GP: 'FR', MF: 'FR', MQ: 'FR', RE: 'FR', YT: 'FR' },
};
const prefixOf = (country: string): string => territories[country] ?? country;

/**
 * The number as a VAT identifier (BT-31, BT-48; BR-CO-09): without separators, with the prefix of its country, which it keeps where it has one. undefined:
 * it is none by its structure, as the number of a country without such identifiers, of a register or of a person.
 */
export function vatIdOf(country: string | undefined, taxId: string): string | undefined {
  const compact = compactTaxId(taxId).replaceAll(':', '');
  const stated = prefixOf(compact.slice(0, 2));
  const rest = compact.slice(2);
  if (structures[stated]?.test(rest)) return stated + rest;
  const prefix = country && prefixOf(country);
  return prefix && prefix !== stated && structures[prefix]?.test(compact) ? prefix + compact : undefined;
}
