import type { Condition, Filter } from '@svc/document-store';
import { compactTaxId, foldCase } from '@svc/kernel';
import { plainAmount, termFields, type TermsKind } from './terms.ts';
import { beginsWith, wordsOf } from './words.ts';

/** What a text asks for: resources that match one of the filters, or have all of the words. */
export interface TermsQuery {
  filters: Filter[];
  /** The longest first, since fewest have it. */
  words: string[];
}

const SEQUENCE = /^\d{1,15}$/;
const AMOUNT = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,8})?$/;

/** Of the words of a text as many count as a name has terms. */
export function termsQuery(kind: TermsKind, q: string): TermsQuery {
  const { words, whole, prefix } = termFields[kind];
  const folded = foldCase(q);
  const asked: Record<string, Condition | undefined> = {
    seq: SEQUENCE.test(q) ? Number(q) : undefined,
    total: AMOUNT.test(q) ? plainAmount(q) : undefined,
    fiscal_code: folded,
    tax_id: compactTaxId(q),
    number: beginsWith(folded),
  };
  const filters = [...whole, ...prefix].flatMap((field): Filter[] => {
    const condition = asked[field];
    return condition === undefined || condition === '' ? [] : [{ [field]: condition }];
  });
  return { filters, words: wordsOf(q, words.length).sort((one, other) => other.length - one.length) };
}
