import type { ReportKind } from '@svc/contracts/report/query';
import type { Day, Env } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { Fact, Facts } from './fact.ts';

/** Which documents to count: the tenant's, of these days (both inclusive). */
export interface Selection {
  account: string;
  env: Env;
  from: Day;
  to: Day;
  currency?: string | undefined;
  kind: ReportKind;
}

/** A document as it counts on a day: added on the day of its issue, subtracted on the day of its void. */
export interface Counted {
  fact: Fact;
  day: Day;
  /** Change of the number of documents; a credit note counts as one. */
  documents: 1 | -1;
  /** Sign of its amounts; those of a credit note are negative. */
  sign: 1 | -1;
}

/** Facts of one turn, and the approximate size of a fact in bytes. */
const AT_ONCE = 100;
const FACT_BYTES = 1_000;

/** The days on which a document counts, by field, and how. */
const occasions = { issued_on: 1, voided_on: -1 } as const;
type Occasion = keyof typeof occasions;

/** A document as counted on the day of its issue or its void. */
export function countedOn(occasion: Occasion, fact: Fact): Counted {
  const documents = occasions[occasion];
  return { fact, day: fact[occasion] as Day, documents, sign: fact.is_credit_note === (documents === 1) ? -1 : 1 };
}

/** Streams counted documents by index: issues first, then voids, each by day. Gives way to other requests with `turn` every 100 facts. */
export async function* countedIn(facts: Facts, selection: Selection, turn: FastifyRequest['turn']): AsyncGenerator<Counted> {
  const { account, env, from, to } = selection;
  let read = 0;
  for (const occasion of Object.keys(occasions) as Occasion[]) {
    const found = facts.find({ account, env, [occasion]: { $gte: from, $lte: to } }, { sort: { [occasion]: 1, _id: 1 } });
    for await (const fact of found) {
      read += 1;
      if (read % AT_ONCE === 0) await turn(AT_ONCE * FACT_BYTES);
      if (isSelected(fact, selection)) yield countedOn(occasion, fact);
    }
  }
}

const isSelected = (fact: Fact, { currency, kind }: Selection): boolean =>
  (currency === undefined || fact.currency === currency) && (kind === 'all' || kind === `${fact.kind}s`);
