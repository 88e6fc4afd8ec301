import type { InvoicesQuery } from '@svc/contracts/invoice/requests';
import type { Filter, Index, Sort } from '@svc/document-store';
import { rowOf, type Projection, type Row } from '@svc/event-store';
import { foldCase, isDay, iso, madeAfter, plusDays, startOfDay, versionAt, type DomainEvent } from '@svc/kernel';
import { createdRange, oneOfEach, type Identity } from '@svc/service';
import type { DocumentContext } from './context.ts';
import type { DocumentDefinition } from './definition.ts';
import { type DocumentContent, type Written, isNumbered } from './domain/state.ts';
import { nameTerms, sequenceTerm, taxIdTerm, type Terms } from '../terms/terms.ts';

const tenant = ['account', 'env'];
/**
 * `walked`: in the order of creation, with what filters name, so that a combination of filters is decided without reading the rows. The others find
 * or sort by one field, in the order of creation.
 */
const documentIndexes = (walked: string[]): Index[] => [
  { fields: [...tenant, 'ordinal', ...walked] },
  ...['status', 'customer_id', 'number_key', 'issue_date', 'created_at', 'total'].map((field) => ({
    fields: [...tenant, field, 'ordinal'],
  })),
  { fields: [...tenant, 'number', 'ordinal'], present: 'number' },
  { fields: [...tenant, 'corrects', 'ordinal'], present: 'corrects' },
];

/** What differs from document to document. */
interface OwnFields {
  status: string;
  type: string;
  customer_id: string | null;
  number: string | null;
  /** To sort numbers by series, year and sequence. */
  number_key: string | null;
  corrects: string | null;
  issue_date: string | null;
}

export interface DocumentRow extends Row, OwnFields {
  currency: string;
  series: string;
  /** To sort by; the exact one is in the resource. */
  total: number;
}

/** A list of a document's resources: a row for each that callers can see. `filters`: fields that filters name and no order. */
export const documentProjection = <
  State extends object,
  Shown extends State & Written<DocumentContent>,
  Event extends DomainEvent,
  Own extends OwnFields,
  Resource extends object,
>(
  { name: category, decider, events, isShown, eventsBefore, resource }: DocumentDefinition<State, Shown, never, Event, Resource>,
  { name, filters, newFields, own }: Pick<Projection<Row>, 'name' | 'newFields'> & { filters: string[]; own(state: Shown): Own },
): Projection<DocumentRow & Own, State | null> => ({
  name,
  category,
  ordinals: true,
  indexes: documentIndexes([...filters, 'status', 'issue_date', 'created_at']),
  newFields,
  initialState: null,
  evolve: (state, recorded) => decider.evolve(state, events.decode(recorded)),
  row(state, recorded) {
    if (!isShown(state)) return undefined;
    const { created_at, content, totals } = state;
    const { currency, series } = content;
    const row: Omit<DocumentRow, 'ordinal' | 'resource' | keyof OwnFields> = {
      ...rowOf(recorded),
      ...{ created_at, currency, series, total: Number(totals.total) },
    };
    return { ...row, ...own(state) } as Omit<DocumentRow & Own, 'ordinal' | 'resource'>;
  },
  resource: (state, recorded) => madeAfter(recorded, () => resource(state as Shown, versionAt(recorded.revision) - eventsBefore)),
});

/** Digits of the largest sequence. */
const SEQ_DIGITS = String(Number.MAX_SAFE_INTEGER).length;

/** The number, and what sorts it: by series, year and sequence; tills that count on their own by the number itself. */
export const numberFields = (
  { series }: Pick<DocumentContent, 'series'>,
  { number, seq, issue_date }: { number: string; seq: number; issue_date?: string | null },
): Pick<OwnFields, 'number' | 'number_key'> => ({
  number,
  // A count restarts with the year of the issue date, and issue dates never run backwards in a series.
  number_key: [series, (issue_date ?? '').slice(0, 4), String(seq).padStart(SEQ_DIGITS, '0'), number].join(' '),
});

/** The same of a document without a number. */
export const unnumbered = { number: null, number_key: null };

const EQUAL = ['status', 'type', 'customer_id', 'number', 'currency', 'series', 'payment_status', 'fiscal_status', 'corrects'] as const;

/** The filters of documents' lists; those that a list does not have are absent. */
export type DocumentsQuery = Partial<Record<(typeof EQUAL)[number], string[]>> &
  Pick<InvoicesQuery, 'created_from' | 'created_to' | 'issue_from' | 'issue_to' | 'due_from' | 'due_to' | 'fiscal_deadline_to' | 'q'>;

/** Both ends of a range of days are inclusive. `timeZone`: whose days `created_…` mean. */
export function documentFilter(query: DocumentsQuery, timeZone: string): Filter {
  return {
    ...oneOfEach(EQUAL, query),
    ...createdRange(query, timeZone),
    ...days('issue_date', query.issue_from, query.issue_to),
    ...days('due_date', query.due_from, query.due_to),
    ...momentTo('fiscal_deadline', query.fiscal_deadline_to, timeZone),
  };
}

function days(field: string, from: string | undefined, to: string | undefined): Filter {
  const bounds = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
  return Object.keys(bounds).length === 0 ? {} : { [field]: bounds };
}

/** A day is meant to its end. */
function momentTo(field: string, to: string | undefined, timeZone: string): Filter {
  if (to === undefined) return {};
  return { [field]: isDay(to) ? { $lt: iso(startOfDay(timeZone, plusDays(to, 1))) } : { $lte: to } };
}

/** The issuer's zone, where the filters name days of it. */
export async function zoneFor(
  { created_from, created_to, fiscal_deadline_to }: DocumentsQuery,
  { issuers }: DocumentContext,
  { account, env }: Identity,
): Promise<string> {
  return [created_from, created_to, fiscal_deadline_to].every((moment) => moment === undefined)
    ? 'UTC'
    : (await issuers.of(account, env)).time_zone;
}

/** Ties in the order of creation. */
export const documentOrders: Record<string, Sort> = Object.fromEntries(
  [
    ['issue_date', 'issue_date'],
    ['number', 'number_key'],
    ['total', 'total'],
  ].flatMap(([name, field]): [string, Sort][] => [
    [`${name}`, { [`${field}`]: 1, ordinal: 1 }],
    [`-${name}`, { [`${field}`]: -1, ordinal: -1 }],
  ]),
);

/** A draft has none: its customer is named once it is submitted. By its total a document is found in the list. */
export function documentTerms(kind: 'invoice' | 'receipt', state: Written<DocumentContent>): Terms {
  if (!isNumbered(state)) return {};
  const { issue, fiscal, parties } = state;
  const { customer } = parties;
  const personal = customer && { ...nameTerms(kind, customer.name ?? ''), ...taxIdTerm(customer.tax_id) };
  return {
    ...{ number: foldCase(issue.number), seq: sequenceTerm(issue.seq) },
    ...(fiscal.code === null ? {} : { fiscal_code: foldCase(fiscal.code) }),
    ...(customer && personal && Object.keys(personal).length > 0 ? { subject: customer.id, ...personal } : {}),
  };
}
