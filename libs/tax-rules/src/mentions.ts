import { rulesOf } from './country.ts';
import type { DocumentType, Language, Mention, MentionPlace, ShownFact, TaxCode } from './rules.ts';

/** What mentions read of an issued document, as the API shows it. */
export interface ShownDocument {
  /** Absent: a receipt. */
  type?: DocumentType;
  items: readonly { taxes: readonly { code: TaxCode; exemption_reason?: string | null }[] }[];
  fiscal: { code: string | null; issuer_code: string | null; verification_url?: string | null } | null;
  /** Day and time of issue of the issuer's zone, as the document writes them. */
  issue_time?: string | null;
  /** Codes, which a receipt has itself. */
  unit?: string | null;
  device?: string | null;
  operator?: string | null;
}

/** The issuer that is frozen in it: with the one unit and operator that issued it. Where there are several, it is not known which. */
export interface ShownIssuer {
  country: string | null;
  authority: string | null;
  software_code?: string | null;
  tax_regime?: string | null;
  units?: readonly { code: string; devices?: readonly string[] }[];
  operators?: readonly { code: string }[];
  /** The till, with the code that the authority gave it. */
  devices?: readonly { authority_code: string | null }[];
}

/** `rule`: `<country>.<id>`. `tax_code`: of the taxes that it is about. */
export interface ShownMention {
  rule: string;
  text: string;
  fact?: ShownFact | undefined;
  tax_code?: TaxCode | undefined;
  place?: MentionPlace | undefined;
}

/** The texts that the document has to show, in the order of the country's rules, each with its rule (`al.iic`). */
export function mentionsOf(document: ShownDocument, issuer: ShownIssuer, language: Language): ShownMention[] {
  const { id: country, mentions } = rulesOf(issuer.country);
  return mentions
    .filter((mention) => applies(mention, document, issuer))
    .flatMap((mention) => {
      const { id, text, fact, place, when } = mention;
      const words = typeof text === 'string' ? text : text[language];
      const shown = { rule: `${country}.${id}`, fact, tax_code: when?.tax_code, place };
      if (fact === undefined) return [{ ...shown, text: words }];
      const values = fact === 'exemption_reason' ? reasonsOf(document, when?.tax_code) : known(facts[fact](document, issuer));
      return values.map((value) => ({ ...shown, text: `${words}: ${value}` }));
    });
}

/** Whether its QR code stands before everything else. */
export function hasQrFirst({ country, authority }: ShownIssuer): boolean {
  const { qr_first } = rulesOf(country);
  return qr_first !== undefined && qr_first.authority === authority;
}

function applies({ when = {}, place }: Mention, document: ShownDocument, { authority, tax_regime }: ShownIssuer): boolean {
  const isAtQr = place === 'above_qr' || place === 'below_qr';
  return (
    (when.types?.includes(document.type ?? 'receipt') ?? true) &&
    (when.authority === undefined || when.authority === authority) &&
    (when.tax_regime === undefined || when.tax_regime === tax_regime) &&
    (when.tax_code === undefined || taxesOf(document).some(({ code }) => code === when.tax_code)) &&
    (!isAtQr || Boolean(document.fiscal?.verification_url))
  );
}

const taxesOf = ({ items }: ShownDocument) => items.flatMap(({ taxes }) => taxes);
const known = (value: string | null | undefined): string[] => (value ? [value] : []);

/** Each once. */
const reasonsOf = (document: ShownDocument, of: TaxCode | undefined): string[] => [
  ...new Set(taxesOf(document).flatMap(({ code, exemption_reason }) => (of === undefined || code === of ? known(exemption_reason) : []))),
];

type Fact = (document: ShownDocument, issuer: ShownIssuer) => string | null | undefined;

const facts: Record<Exclude<ShownFact, 'exemption_reason'>, Fact> = {
  issuer_code: ({ fiscal }) => fiscal?.issuer_code,
  fiscal_code: ({ fiscal }) => fiscal?.code,
  issue_time: ({ issue_time }) => issue_time,
  operator: ({ operator }, { operators }) => operator ?? only(operators)?.code,
  unit: ({ unit }, { units }) => unit ?? only(units)?.code,
  device: ({ device }, { units, devices }) => only(devices)?.authority_code ?? device ?? only(only(units)?.devices),
  software_code: (_, { software_code }) => software_code,
};

const only = <T>(list: readonly T[] = []): T | undefined => (list.length === 1 ? list[0] : undefined);
