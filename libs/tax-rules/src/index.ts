export { LATE_REASON } from './authorities/authority-rules.ts';
export { rulesOf, rulesOfAuthority } from './country.ts';
export { hasQrFirst, mentionsOf, type ShownDocument, type ShownIssuer, type ShownMention } from './mentions.ts';
export type { Language, ShownFact, TaxCode } from './rules.ts';
export type { RuledDocument, RuledIssuer } from './ruled.ts';
export { setupProblems, validate } from './validate.ts';
