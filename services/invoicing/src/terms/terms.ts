import type { Doc, Index } from '@svc/document-store';
import { compactTaxId, type Env, foldCase } from '@svc/kernel';

/** Of a document with five more terms, and of what has only a name and perhaps a tax id: ten terms at most. */
const [DOCUMENT_WORDS, CATALOG_WORDS] = [5, 8];

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `word${n + 1}`);

/** The fields of terms by kind: those that hold words, those that are compared whole, and the number, which is compared from its beginning. */
export const termFields = {
  invoice: { words: numbered(DOCUMENT_WORDS), whole: ['seq', 'total', 'fiscal_code', 'tax_id'], prefix: ['number'] },
  receipt: { words: numbered(DOCUMENT_WORDS), whole: ['seq', 'total', 'fiscal_code', 'tax_id'], prefix: ['number'] },
  customer: { words: numbered(CATALOG_WORDS), whole: ['tax_id'], prefix: [] },
  product: { words: numbered(CATALOG_WORDS), whole: [], prefix: [] },
} as const satisfies Record<string, Record<'words' | 'whole' | 'prefix', readonly string[]>>;

export type TermsKind = keyof typeof termFields;
export const termsKinds = Object.keys(termFields) as TermsKind[];

export const fieldsOf = (kind: TermsKind): string[] => {
  const { words, whole, prefix } = termFields[kind];
  return [...words, ...whole, ...prefix];
};

/** What one resource is found by; absent: nothing. */
export interface Terms {
  /** The customer whose name and tax id are among the terms. */
  subject?: string;
  /** Of a customer: its personal data was erased. */
  erased?: true;
  number?: string;
  seq?: number;
  /** Decimal text without zeros at its end. */
  total?: string;
  fiscal_code?: string;
  tax_id?: string;
  [word: `word${number}`]: string;
}

/** `version`: twice that of the resource; odd once the customer was erased. */
export interface TermsRow extends Doc, Terms {
  account: string;
  env: Env;
}

export const termsIndexes = (kind: TermsKind): Index[] => [
  ...fieldsOf(kind).map((field) => ({ fields: ['account', 'env', field, '_id'], present: field })),
  { fields: ['subject'], present: 'subject' },
];

export const nameTerms = (kind: TermsKind, name: string): Terms => {
  const { words } = termFields[kind];
  return Object.fromEntries(wordsOf(name, words.length).map((word, n) => [words[n], word]));
};

export const taxIdTerm = (tax_id: string | null | undefined): Terms => (tax_id ? { tax_id: compactTaxId(tax_id) } : {});

/** An amount without zeros at its end. */
export const plainAmount = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** The terms without those of the customer. */
export const withoutPersonal = (terms: Terms): Terms =>
  Object.fromEntries(Object.entries(terms).filter(([field]) => field !== 'subject' && field !== 'tax_id' && !field.startsWith('word')));

/** Characters of a word that count. */
const LONGEST = 40;
/** Letters, digits and the marks on them. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The first distinct words of a text, folded: `Große Gasse & Co.` has `grosse`, `gasse` and `co`. */
export function wordsOf(text: string, most: number): string[] {
  const words = foldCase(text).match(WORD) ?? [];
  return [...new Set(words.map(cut))].slice(0, most);
}

const cut = (word: string): string => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word);

/** Greater than every text with the prefix: the last code point. */
const LAST = '\u{10ffff}';

/** The condition of a field that begins so. */
export const beginsWith = (prefix: string): { $gte: string; $lt: string } => ({ $gte: prefix, $lt: prefix + LAST });
