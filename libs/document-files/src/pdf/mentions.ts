import { hasQrFirst, mentionsOf, type ShownFact, type ShownIssuer, type ShownMention, type TaxCode } from '@svc/tax-rules';
import { issueTimeOf, type PdfDocument, type Written } from './document.ts';

/** What the document has to say by law and by its registration, in the order in which it is shown. */
export interface Mentions {
  /** About the document and its taxes. */
  texts: string[];
  /** With the codes of the registration. */
  registration: string[];
  /** The facts that `registration` shows. */
  shown: ReadonlySet<ShownFact>;
  qr: { url: string; isFirst: boolean; above: string[]; below: string[] } | null;
}

/** Of the country of the issuer that is frozen in the document; what the country asks no words for is shown in those of the language. */
export function mentionsIn({ document, words, numbers }: Written): Mentions {
  const { issuer, fiscal } = document;
  const shownIssuer: ShownIssuer = issuer ?? { country: null, authority: null };
  const isReceipt = document.object === 'receipt'; // it has the time beside the day of issue
  const issue_time = isReceipt ? null : issueTimeOf(document, numbers);
  const title = words.titles[isReceipt ? 'receipt' : document.type];
  const all = mentionsOf({ ...document, issue_time }, shownIssuer, words.tag);
  const at = (place: ShownMention['place']): ShownMention[] => all.filter((mention) => mention.place === place);
  const textsAt = (place: ShownMention['place']): string[] => at(place).map(({ text }) => text);
  const shown = new Set(at('registration').flatMap(({ fact }) => fact ?? []));
  const unless = (fact: ShownFact, label: string, value: string | null | undefined): string[] =>
    value && !shown.has(fact) ? [`${label}: ${value}`] : [];
  const url = fiscal?.verification_url;
  return {
    texts: [...at(undefined).flatMap(({ text }) => (text === title ? [] : text)), ...taxTexts(document, at(undefined), words)],
    registration: [
      ...textsAt('registration'),
      ...unless('fiscal_code', words.fiscalCode, fiscal?.code),
      ...unless('issuer_code', words.issuerCode, fiscal?.issuer_code),
    ],
    shown,
    qr: url ? { url, isFirst: hasQrFirst(shownIssuer), above: textsAt('above_qr'), below: textsAt('below_qr') } : null,
  };
}

/** Why lines bear no tax, where no mention says it: what each code means, and the reasons that were given beyond that, each once. */
function taxTexts({ items }: PdfDocument, mentions: ShownMention[], { reason, untaxed }: Written['words']): string[] {
  const taxes = items.flatMap((item) => item.taxes);
  const isMentioned = (of: TaxCode, fact?: ShownFact): boolean =>
    mentions.some((mention) => mention.tax_code === of && (fact === undefined || mention.fact === fact));
  const meanings = taxes.flatMap(({ code }) => (code === 'S' || code === 'Z' || isMentioned(code) ? [] : untaxed[code]));
  const isStated = (text: string): boolean => [...meanings, ...mentions.map((mention) => mention.text)].includes(text);
  const reasons = taxes.flatMap(({ code, exemption_reason: given }) =>
    given && !isStated(given) && !isMentioned(code, 'exemption_reason') ? `${reason}: ${code}: ${given}` : [],
  );
  return [...new Set([...meanings, ...reasons])];
}
