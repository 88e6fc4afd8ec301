/**
 * Where the library is stricter than the authority. Keys are countries (ISO 3166-1, two letters). Found by the numbers of python-stdnum's tests;
 * see decisions/tax-ids.md.
 */

/** Rules of companies that are in the library and in none of its lists. */
export const unlisted: Readonly<Record<string, readonly string[]>> = {
  CA: ['gst', 'qst', 'pst'],
  DZ: ['nif'],
  EG: ['tn'],
  FO: ['vn'],
  GN: ['nifp'],
  IN: ['gstin'],
  KE: ['pin'],
  MD: ['idno'],
  ME: ['pib'],
  MK: ['edb'],
  TH: ['moa', 'tin'],
  TN: ['mf'],
  VE: ['rif'],
};

/** Written before a number besides the country's code. */
export const prefixes: Readonly<Record<string, readonly string[]>> = { GB: ['XI'], GR: ['EL'] };

/** The part of a longer number that the rules judge. */
export const parts: Readonly<Record<string, RegExp>> = {
  // Adószám: the VAT number, how it is taxed, the county.
  HU: /^\d{8}(?=[1-5]\d{2}$)/,
  // INN, then KPP.
  RU: /^\d{10}(?=\d{9}$)/,
};

/** Forms that pass beside the rules, matched without separators. A check digit that is in none of them is not kept by the authority, or differently. */
export const forms: Readonly<Record<string, readonly RegExp[]>> = {
  // The control letter is not public; the library's ranges are older than today's numbers.
  AD: [/^[A-Z]\d{6}[A-Z]$/],
  // Nine digits: written without the leading zero.
  AZ: [/^\d{8}[12]$/],
  // Persons whose date of birth is not known.
  BE: [/^\d{2}[2-6]\d{8}$/],
  // Companies may begin with any digit; ten digits: the library refuses the right check digits of foreigners.
  BG: [/^[4-8]\d{8}$/, /^\d{10}$/],
  BY: [/^[АВЕКМНОРСТ]{2}\d{7}$/],
  // The UID without CHE.
  CH: [/^\d{9}$/],
  // The library does not know the check digit 0.
  CN: [/^\d{8}[\dA-HJ-NPQRTUWXY]{9}0$/],
  // The NIT without its check digit; NUIP of persons have none.
  CO: [/^\d{6,9}$/, /^1\d{9}$/],
  // DIMEX of residents.
  CR: [/^1\d{10,11}$/],
  // Birth numbers whose remainder is 10; nine digits of persons who have no birth number.
  CZ: [/^\d{9}0$/, /^6\d{8}$/],
  // Steuernummern of the states have no common check digit.
  DE: [/^\d{10,11}$/, /^\d{13}$/],
  // The DGII serves numbers with wrong check digits.
  DO: [/^\d{8,11}$/],
  // The SRI gives numbers without check digit.
  EC: [/^(?:0[1-9]|1\d|2[0-4]|30|50)\d{8}(?!000)\d{3}$/],
  // Signs of the century that were added in 2023; tax numbers of building sites.
  FI: [/^\d{6}[A-FU-Y]?\d{3}[\dA-Y]$/, /^\d{12}$/],
  // Numbers of persons.
  FO: [/^\d{9}$/],
  // Tax identification of persons.
  HU: [/^8\d{9}$/],
  // NPWP of 15 and 16 digits (the latter also NIK), NITKU of establishments.
  ID: [/^\d{15,16}$/, /^\d{22}$/],
  // PAN of partnerships (E); GSTIN of them, of states that are newer, of who collects tax (not Z); UIN, foreigners, TAN.
  IN: [
    /^[A-Z]{5}\d{4}[A-Z]$/,
    /^\d{2}[A-Z]{3}E[A-Z]\d{4}[A-Z][\dA-Z]{3}$/,
    /^(?:38|97|99)[\dA-Z]{13}$/,
    /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][A-Y][\dA-Z]$/,
    /^\d{4}[A-Z]{3}\d{5}[A-Z]{2}[\dA-Z]$/,
    /^[A-Z]{4}\d{5}[A-Z]$/,
  ],
  // Number of a qualified invoice issuer, of persons too; My Number.
  JP: [/^T\d{13}$/, /^\d{12}$/],
  // The check digit of companies is not published; persons' numbers have none since 2020.
  KR: [/^[1-9]\d{9}$/, /^\d{13}$/],
  // Matricule of companies and of persons.
  LU: [/^\d{11}$/, /^\d{13}$/],
  // Personal codes without date of birth.
  LV: [/^3[2-9]\d{9}$/],
  // Identifiant fiscal.
  MA: [/^\d{7,8}$/],
  // Identity cards and tax numbers of persons.
  MT: [/^\d{3,7}[A-Z]$/, /^\d{9}$/],
  // The SAT gives numbers whose check digit is another.
  MX: [/^[A-ZÑ&]{3,4}\d{6}[\dA-Z]{3}$/],
  // NZBN.
  NZ: [/^\d{13}$/],
  // Identity cards with a letter as check digit.
  PE: [/^\d{8}[A-K]$/],
  // The library calculates 10 where the check digit is 0.
  PY: [/^\d{4,8}0$/],
  // GST numbers of before the UEN; NRIC and FIN of persons.
  SG: [/^M[\dRBX]\d{7}[\dA-Z]$/, /^[STFGM]\d{7}[A-Z]$/],
  // Matična številka of the register of companies.
  SI: [/^\d{7}(?:[\dA-Z]\d{2})?$/],
  // IČO; birth numbers whose remainder is 10; VAT numbers, of which the third digit is limited, not the first.
  SK: [/^\d{8}$/, /^\d{9}0$/, /^[1-9]\d[234789]\d{7}$/],
  // NIT, also with another check digit; DUI of persons, which are NIT since 2021.
  SV: [/^\d{14}$/, /^\d{9}$/],
  // Numbers since 2023 have another check digit.
  TW: [/^\d{8}$/],
  // VAT numbers of companies and of representatives.
  UA: [/^\d{12}$/, /^\d{9}$/],
  // The IRS adds prefixes; there is no check digit.
  US: [/^\d{9}$/],
  // Numbers of the register that began in 2021.
  UY: [/^22\d{6}00\d{2}$/],
  // Identity numbers of persons, which are tax numbers since 2025.
  VN: [/^\d{12}$/],
};
