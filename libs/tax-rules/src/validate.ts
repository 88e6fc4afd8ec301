import { rulesOf, rulesOfAuthority } from './country.ts';
import type { RuledDocument, RuledIssuer, RuledTax } from './ruled.ts';
import type { CountryRules } from './rules.ts';

/** `field`: its path in the document, such as `items.0.taxes.0.rate`, or in the issuer. `rule`: `<country>.<rule>`, or `<authority>.<rule>`. `message`: what to do, and the source. */
export interface Problem {
  field: string;
  rule: string;
  message: string;
}

type Check = (rules: CountryRules, document: RuledDocument, issuer: RuledIssuer) => [field: string, message: string][];

/**
 * What keeps the document from being issued by the rules of the issuer's country and authority; [] where nothing does. Asked before a number is spent, and
 * never of what has been issued.
 */
export function validate(document: RuledDocument, issuer: RuledIssuer): Problem[] {
  const rules = rulesOf(issuer.country);
  const byLaw = Object.entries(checks).flatMap(([name, check]) =>
    check(rules, document, issuer).map(([field, message]) => ({ field, rule: `${rules.id}.${name}`, message })),
  );
  return [...byLaw, ...byAuthority(document, issuer)];
}

function byAuthority(document: RuledDocument, issuer: RuledIssuer): Problem[] {
  const rules = rulesOfAuthority(issuer.authority);
  if (!rules) return [];
  const missing = setupProblems(issuer, document.type).map((problem) => ({ ...problem, field: `issuer.${problem.field}` }));
  const wrong = Object.entries(rules.checks).flatMap(([name, check]) =>
    check(document, issuer).map(([field, message]) => ({ field, rule: `${rules.id}.${name}`, message: `${message} (${rules.source})` })),
  );
  return [...missing, ...wrong];
}

/**
 * What the issuer lacks for its authority, by its field, for a document of the type; without one, for any. A document of whose issuer something is missing
 * is refused for it.
 */
export function setupProblems(issuer: RuledIssuer, type?: RuledDocument['type']): Problem[] {
  const rules = rulesOfAuthority(issuer.authority);
  if (!rules) return [];
  const abroad = issuer.country === rules.country ? [] : [['country', `is ${rules.country} with this authority.`] as const];
  const counted = issuer.currency === rules.currency ? [] : [['currency', `is ${rules.currency} with this authority.`] as const];
  return [...abroad, ...counted, ...rules.setup(issuer, type)].map(([field, message]) => ({
    ...{ field, rule: `${rules.id}.setup`, message: `${message} (${rules.source})` },
  }));
}

const checks: Record<string, Check> = {
  exchange_rate({ exchange_rate: rule }, { type, currency, exchange_rate: rate }, issuer) {
    if (!rule || currency === issuer.currency || (rate !== undefined && rate !== null)) return [];
    return type === 'receipt'
      ? [['currency', `has to be ${issuer.currency}, the issuer's: a receipt states no exchange rate (${rule.source}).`]]
      : [['exchange_rate', `is required: the document is in ${currency}, the issuer's currency is ${issuer.currency} (${rule.source}).`]];
  },

  exemption_reason({ exemption_reason: rule }, document) {
    if (!rule?.of.includes(document.type)) return [];
    return taxesOf(document)
      .filter(({ tax }) => tax.code === 'E' && !tax.exemption_reason?.trim())
      .map(({ path }) => [`${path}.exemption_reason`, `is required: why is it exempt from tax? (${rule.source})`]);
  },

  /** A customer abroad may be charged the VAT of that country (one-stop shop, Directive 2006/112/EC, articles 358 to 369x). */
  vat_rates({ vat_rates: rule }, document, { country }) {
    const isAbroad = typeof document.customer_country === 'string' && document.customer_country !== country;
    if (!rule || isAbroad) return [];
    return taxesOf(document)
      .filter(({ tax }) => tax.category === 'VAT' && !tax.retained && tax.code === 'S' && !rule.rates.includes(tax.rate))
      .map(({ path, tax }) => [`${path}.rate`, `${tax.rate} is none of ${rule.rates.join(', ')} (${rule.source}).`]);
  },

  number_format({ number_formats }, { type, number_format: format }, { authority }) {
    const rule = rulesOfAuthority(authority)?.number_formats ?? number_formats;
    if (!rule || format === null) return [];
    const wanted = type === 'receipt' ? rule.receipt : rule.invoice;
    return format === wanted
      ? []
      : [['series', `has numbers of the format ${format}, the law asks for ${wanted}: set it by PATCH /issuer (${rule.source}).`]];
  },
};

/** Every tax of the document with its path. */
const taxesOf = (document: RuledDocument): { path: string; tax: RuledTax }[] =>
  (['items', 'discounts', 'charges'] as const).flatMap((list) =>
    document[list].flatMap(({ taxes = [] }, n) => taxes.map((tax, m) => ({ path: `${list}.${n}.taxes.${m}`, tax }))),
  );
