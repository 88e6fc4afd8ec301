import type { RuledIssuer, RuledDocument, RuledTax } from '../ruled.ts';

/** What an authority takes beyond the law of its country. `id`: as the issuer's `authority`. */
export interface AuthorityRules {
  id: string;
  /** Document of the authority: title, version. */
  source: string;
  /** By name of the rule: what keeps the document from being sent, as field and message. */
  checks: Readonly<Record<string, (document: RuledDocument, issuer: RuledIssuer) => [field: string, message: string][]>>;
}

/** Every tax of the items with its path. */
export const taxesOfItems = ({ items }: RuledDocument): { path: string; tax: RuledTax }[] =>
  items.flatMap(({ taxes }, n) => taxes.map((tax, m) => ({ path: `items.${n}.taxes.${m}`, tax })));
