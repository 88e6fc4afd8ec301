import type { FastifyReply } from 'fastify';
import type { Collection, Condition, Doc, Filter, Sort } from '@svc/document-store';
import type { ReadBarrier } from '@svc/event-store/subscription/read-barrier';
import { compactTaxId, DomainError, type Env, foldCase, soon, type Turn } from '@svc/kernel';
import { havingInMiddle } from './middle.ts';
import { reversed, sequenceTerm, termFields, type TermsKind, type TermsRow, beginsWith, wordsOf } from './terms.ts';

/** Resources that a text may match: their ids are looked up in the list one by one. */
const MOST_MATCHES = 10_000;
/** Ids that are read with one statement. */
const AT_ONCE = 5_000;
/** Resources whose number ends with digits, or has them; where more do, they say too little to be found by. */
const MOST_ENDINGS = 1_000;
/** Rows that are read with one statement. */
const ROWS_AT_ONCE = 500;

export interface Asking {
  account: string;
  env: Env;
  q: string;
  turn?: Turn | undefined;
  /** The list of documents, whose rows have totals and ordinals. */
  list?: { rows: Pick<Collection<Doc>, 'page'> } & Pick<ReadBarrier, 'asOf'>;
  /** Gets `Svc-As-Of`. */
  reply?: FastifyReply;
}

/** Rows among which resources are found, and the field that orders those of one condition. */
interface Among {
  in: Pick<Collection<Doc>, 'page'>;
  by: string;
}

/** The ids of the resources that match, each once: by their terms, and by their total in the list. Throws `invalid_request` where more than `MOST_MATCHES` do. */
export async function findTerms(
  rows: Collection<TermsRow>,
  kind: TermsKind,
  { account, env, q, list, turn = soon }: Asking,
  most = MOST_MATCHES,
  mostEndings = MOST_ENDINGS,
): Promise<string[]> {
  const { filters, ending, words, part } = termsQuery(kind, q);
  const terms: Among = { in: rows, by: '_id' };
  const found = new Set<string>();

  /** Adds the ids that match to a set; false: there are more than it may hold. */
  async function add(filter: Filter, to: Set<string>, atMost = most, among = terms): Promise<boolean> {
    const ranges = Object.keys(filter).filter((field) => typeof filter[field] === 'object');
    const order: Sort = Object.fromEntries([...ranges, among.by].map((field) => [field, 1 as const]));
    for (let skip = 0; skip <= atMost; skip += AT_ONCE) {
      const query = { sort: order, skip, limit: Math.min(AT_ONCE, atMost + 1 - skip), turn };
      const { docs, left } = await among.in.page({ account, env, ...filter }, query, 0);
      for (const id of [...docs.map(({ _id }) => _id), ...left]) to.add(id);
      if (to.size > atMost) return false;
      if (docs.length + left.length < query.limit) return true;
      await turn(0);
    }
    return true;
  }

  /** The ids of those that have a word with this beginning; undefined: there are more than `atMost`. */
  async function having(word: string, atMost: number): Promise<Set<string> | undefined> {
    const ids = new Set<string>();
    for (const field of termFields[kind].words) if (!(await add({ [field]: beginsWith(word) }, ids, atMost))) return undefined;
    return ids;
  }

  /** Those of the ids that have the other words, too. */
  async function withAll(ids: readonly string[], others: readonly string[]): Promise<string[]> {
    if (others.length === 0) return [...ids];
    const all: string[] = [];
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      if (at > 0) await turn(0);
      const some = ids.slice(at, at + ROWS_AT_ONCE);
      for await (const row of rows.find({ _id: { $in: some } }, { limit: some.length })) {
        const own = termFields[kind].words.flatMap((field) => (row as unknown as Record<string, string>)[field] ?? []);
        if (others.every((word) => own.some((one) => one.startsWith(word)))) all.push(row._id);
      }
    }
    return all;
  }

  /** By the rows of those that have a rare word. Without one, by the index under each word, and by rows for a word that too many have. */
  async function byWords(): Promise<string[]> {
    if (words.length === 0) return [];
    for (const word of words) {
      const few = await having(word, Math.min(most, ROWS_AT_ONCE));
      if (few)
        return withAll(
          [...few],
          words.filter((one) => one !== word),
        );
    }
    let all: string[] | undefined;
    const tooFrequent: string[] = [];
    for (const word of words) {
      const ids = await having(word, most);
      if (ids) all = all?.filter((id) => ids.has(id)) ?? [...ids];
      else tooFrequent.push(word);
    }
    if (!all) throw tooMany(most);
    return withAll(all, tooFrequent);
  }

  /** Of numbers with these digits at their end, or before it. */
  async function byPart(digits: string): Promise<string[]> {
    const inMiddle = await havingInMiddle(rows, { account, env, digits, turn }, mostEndings);
    if (!inMiddle || !(await add({ seq: beginsWith(reversed(digits)) }, found, mostEndings))) throw tooMany(mostEndings);
    return [...new Set([...found, ...inMiddle])];
  }

  if (part !== undefined) return byPart(part);
  for (const filter of filters) if (!(await add(filter, found))) throw tooMany(most);
  if (list && AMOUNT.test(q) && !(await add({ total: Number(q) }, found, most, { in: list.rows, by: 'ordinal' }))) throw tooMany(most);
  for (const id of await byWords()) found.add(id);
  const ended = new Set<string>();
  if (found.size > most) throw tooMany(most);
  const isFew = ending && (await add(ending, ended, Math.min(mostEndings, most - found.size)));
  return [...found, ...(isFew ? [...ended].filter((id) => !found.has(id)) : [])];
}

const tooMany = (most: number): DomainError =>
  new DomainError('invalid_request', `More than ${most.toLocaleString('en')} match q. Send more letters of a word, or more words.`, {
    q: [`More than ${most.toLocaleString('en')} match. Send more letters of a word, or more words.`],
  });

/** What a text asks for: resources that match one of the filters, or have all of the words. */
export interface TermsQuery {
  filters: Filter[];
  /** Of numbers that end with the text. */
  ending: Filter | undefined;
  /** The longest first, since fewest have it, as a rule. */
  words: string[];
  /** Digits that numbers have anywhere; then there is nothing else. */
  part?: string | undefined;
}

const SEQUENCE = /^\d{1,15}$/;
/** Digits by which a person names the end of a number. */
const ENDING = /^\d{3,15}$/;
/** The same of any part. */
const PART = /^\*(\d{3,15})\*$/;
const AMOUNT = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,8})?$/;

/** Of the words of a text as many count as a name has terms. */
function termsQuery(kind: TermsKind, q: string): TermsQuery {
  const { words, whole, prefix } = termFields[kind];
  const hasNumbers = (whole as readonly string[]).includes('seq');
  const part = hasNumbers ? PART.exec(q)?.[1] : undefined;
  if (part !== undefined) return { filters: [], ending: undefined, words: [], part };
  const folded = foldCase(q);
  const asked: Record<string, Condition | undefined> = {
    seq: SEQUENCE.test(q) ? sequenceTerm(q) : undefined,
    fiscal_code: folded,
    tax_id: compactTaxId(q),
    number: beginsWith(folded),
  };
  const filters = [...whole, ...prefix].flatMap((field): Filter[] => {
    const condition = asked[field];
    return condition === undefined || condition === '' ? [] : [{ [field]: condition }];
  });
  const ending = hasNumbers && ENDING.test(q) ? { seq: beginsWith(reversed(q)) } : undefined;
  return { filters, ending, words: wordsOf(q, words.length).sort((one, other) => other.length - one.length) };
}
