export type TaxCode = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';
export type DocumentType = 'standard' | 'credit_note' | 'corrective' | 'receipt';

/** Law, regulation or document of the authority: title, article, and URL where it has one. */
export interface Sourced {
  source: string;
}

/** BCP 47: what documents are written in. */
export type Language = 'en' | 'es' | 'sq' | 'sr-Latn';

/** A fact of the issued document that a mention shows behind its label. */
export type ShownFact =
  'issuer_code' | 'fiscal_code' | 'issue_time' | 'operator' | 'unit' | 'device' | 'software_code' | 'exemption_reason';

/** Where a mention stands: with the codes of the registration, or at the QR code, without which it is not shown. */
export type MentionPlace = 'registration' | 'above_qr' | 'below_qr';

/** A text that the document has to show. Without `when` always; of several conditions all must hold. */
export interface Mention extends Sourced {
  id: string;
  when?: { types?: readonly DocumentType[]; tax_code?: TaxCode; authority?: string; tax_regime?: string };
  /** One text where the law prescribes its words, or names the codes of its authority; else one for each language. A label where a fact follows. */
  text: string | Readonly<Record<Language, string>>;
  /** Without the fact, as on a draft, the mention is not shown. */
  fact?: ShownFact;
  place?: MentionPlace;
}

/** What a country demands of a document. A demand that is absent has no source. */
export interface CountryRules {
  id: string;
  /** How a registered document is undone: the authority annuls it, or a corrective document takes it back. */
  void: Sourced & { kind: 'annulment' | 'corrective' };
  /** The formats of numbers. All documents but receipts share one count. */
  number_formats?: Sourced & { invoice: string; receipt: string };
  /** A document in another currency than the issuer's states the rate. */
  exchange_rate?: Sourced;
  /** An exempt tax (code E) states why. */
  exemption_reason?: Sourced & { of: readonly DocumentType[] };
  /** Per cent, decimal text: the rates above 0 that a VAT of the country can have or has had. */
  vat_rates?: Sourced & { rates: readonly string[] };
  /** Documents of this authority have the QR code of their registration before everything else. */
  qr_first?: Sourced & { authority: string };
  mentions: readonly Mention[];
}
