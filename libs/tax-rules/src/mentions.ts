import { rulesOf } from './country.ts';
import type { DocumentType, Mention, ShownFact, TaxCode } from './rules.ts';

/** What mentions read of an issued document, as the API shows it. */
export interface ShownDocument {
  /** Absent: a receipt. */
  type?: DocumentType;
  items: readonly { taxes: readonly { code: TaxCode; exemption_reason?: string | null }[] }[];
  fiscal: { code: string | null; issuer_code: string | null } | null;
}

/** The issuer that is frozen in it: with the one unit and operator that issued it. */
interface ShownIssuer {
  country: string | null;
  authority: string | null;
  software_code?: string | null;
  units?: readonly { code: string }[];
  operators?: readonly { code: string }[];
}

/** The texts that the document has to show, in the order of the country's rules, each with its rule (`al.iic`). */
export function mentionsOf(document: ShownDocument, issuer: ShownIssuer): { rule: string; text: string }[] {
  const { id: country, mentions } = rulesOf(issuer.country);
  return mentions
    .filter((mention) => applies(mention, document, issuer))
    .flatMap(({ id, text, fact }) => {
      const rule = `${country}.${id}`;
      if (fact === undefined) return [{ rule, text }];
      return facts[fact](document, issuer).map((value) => ({ rule, text: `${text}: ${value}` }));
    });
}

function applies({ when = {} }: Mention, document: ShownDocument, { authority }: ShownIssuer): boolean {
  return (
    (when.types?.includes(document.type ?? 'receipt') ?? true) &&
    (when.authority === undefined || when.authority === authority) &&
    (when.tax_code === undefined || taxesOf(document).some(({ code }) => code === when.tax_code))
  );
}

const taxesOf = ({ items }: ShownDocument) => items.flatMap(({ taxes }) => taxes);
const known = (...values: (string | null | undefined)[]): string[] => values.filter((value) => typeof value === 'string');

const facts: Record<ShownFact, (document: ShownDocument, issuer: ShownIssuer) => string[]> = {
  issuer_code: ({ fiscal }) => known(fiscal?.issuer_code),
  fiscal_code: ({ fiscal }) => known(fiscal?.code),
  operator: (_, { operators }) => known(operators?.[0]?.code),
  unit: (_, { units }) => known(units?.[0]?.code),
  software_code: (_, { software_code }) => known(software_code),
  exemption_reason: (document) => [...new Set(taxesOf(document).flatMap(({ exemption_reason }) => known(exemption_reason)))],
};
