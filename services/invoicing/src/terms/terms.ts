import type { Doc, Index, Collection } from '@svc/document-store';
import { compactTaxId, type Env, foldCase, categoryOf, idOf, statesAfter, versionAt, type Recorded, type Streams } from '@svc/kernel';
import type { Projection, Row } from '@svc/event-store';
import { knownEvents } from '@svc/event-store/projection/fold-rows';

/** Of a document with four more terms, and of what has only a name and perhaps a tax id: ten terms at most. */
const [DOCUMENT_WORDS, CATALOG_WORDS] = [5, 8];

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `word${n + 1}`);

/** The fields of terms by kind: those that hold words, those that are compared whole, and the number, which is compared from its beginning. */
export const termFields = {
  invoice: { words: numbered(DOCUMENT_WORDS), whole: ['seq', 'fiscal_code', 'tax_id'], prefix: ['number'] },
  receipt: { words: numbered(DOCUMENT_WORDS), whole: ['seq', 'fiscal_code', 'tax_id'], prefix: ['number'] },
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
  /** `sequenceTerm`: by its beginning numbers are found that end so. */
  seq?: string;
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

/** The digits of a sequence from its end, without zeros before it: `000123` has `321`. */
export const sequenceTerm = (digits: number | string): string => reversed(String(Number(digits)));

/** Characters from the last to the first. */
export const reversed = (text: string): string => [...text].reverse().join('');

/** The terms without those of the customer. */
const withoutPersonal = (terms: Terms): Terms =>
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

export type TermsRows = Record<TermsKind, Collection<TermsRow>>;

/** Where the terms of one kind come from: the events of its read model. */
export interface TermsSource {
  projection: Projection<Row>;
  /** Of an existing resource; undefined where callers cannot see it. */
  termsOf(state: object): Terms | undefined;
}

/** Rows that are blanked at once. */
const AT_ONCE = 500;
const MOST_BYTES = 1_048_576;

/**
 * A subscription's handler that keeps the terms of all kinds. Customers come first, so that a name that was erased enters no row any more, and the
 * rows that hold one lose it. A row is written where its terms change, over a lower version alone: a repeated batch changes nothing.
 */
export function foldTerms(rows: TermsRows, sources: Record<TermsKind, TermsSource>, store: Pick<Streams, 'read'>) {
  const states = statesAfter(store);

  /** The last terms of each resource that the events change, with its account. */
  async function changedBy(kind: TermsKind, events: readonly Recorded[]): Promise<Map<string, TermsRow>> {
    const { projection, termsOf } = sources[kind];
    const fold = knownEvents(projection);
    const changed = new Map<string, TermsRow>();
    for (const recorded of states.each(events, () => fold)) {
      const { state } = await states.after(recorded, fold);
      const terms = state === null ? undefined : termsOf(state as object);
      const { account, env } = recorded.metadata;
      const _id = idOf(recorded.stream);
      if (terms) changed.set(_id, { _id, version: 2 * versionAt(recorded.revision), account, env, ...terms });
    }
    return changed;
  }

  async function erasedOf(changed: Iterable<TermsRow>): Promise<ReadonlySet<string>> {
    const subjects = [...new Set(Array.from(changed, ({ subject }) => subject).filter((subject) => subject !== undefined))];
    const erased = new Set<string>();
    for await (const { _id, erased: isErased } of rows.customer.find({ _id: { $in: subjects } }, { limit: subjects.length }))
      if (isErased) erased.add(_id);
    return erased;
  }

  async function fold(kind: TermsKind, all: readonly Recorded[]): Promise<void> {
    const events = all.filter(({ stream }) => categoryOf(stream) === kind);
    if (events.length === 0) return;
    const ids = [...new Set(events.map(({ stream }) => idOf(stream)))];
    const found = new Map<string, TermsRow>();
    for await (const row of rows[kind].find({ _id: { $in: ids } }, { limit: ids.length })) found.set(row._id, row);
    const news = events.filter(({ stream, revision }) => 2 * versionAt(revision) > (found.get(idOf(stream))?.version ?? 0));
    const changed = await changedBy(kind, news);
    const erased = kind === 'customer' ? new Set() : await erasedOf(changed.values());
    const fields = [...fieldsOf(kind), 'subject', 'erased'] as (keyof TermsRow)[];
    const puts = [...changed.values()]
      .map(({ _id, version, account, env, ...terms }): TermsRow => {
        return { _id, version, account, env, ...(erased.has(terms.subject ?? '') ? withoutPersonal(terms) : terms) };
      })
      .filter((row) => fields.some((field) => row[field] !== found.get(row._id)?.[field]));
    if (puts.length > 0) await rows[kind].write(puts.map((put) => ({ put })));
  }

  /** Removes the customer's name and tax id from the terms of its documents. */
  async function blank(subject: string): Promise<void> {
    for (const kind of ['invoice', 'receipt'] as const)
      for (;;) {
        const { docs } = await rows[kind].page({ subject }, { limit: AT_ONCE }, MOST_BYTES);
        if (docs.length === 0) break;
        const blanked = docs.map(({ _id, version, account, env, ...terms }): TermsRow => {
          return { _id, version: version + 1, account, env, ...withoutPersonal(terms) };
        });
        await rows[kind].write(blanked.map((put) => ({ put })));
      }
  }

  return async (events: readonly Recorded[]): Promise<void> => {
    await fold('customer', events);
    for (const kind of termsKinds) if (kind !== 'customer') await fold(kind, events);
    for (const { stream, type } of events) if (type === 'CustomerErased' && categoryOf(stream) === 'customer') await blank(idOf(stream));
  };
}
