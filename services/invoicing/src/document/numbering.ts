import { Counter } from '@svc/service';
import { invalid, piecesOf, DomainError, soon, type Day, type DomainEvent, type Recorded } from '@svc/kernel';
import type { DocumentContext } from './context.ts';
import { numberedPlace } from '../issuer/domain/point-of-sale.ts';
import type { IssuerState } from '../issuer/domain/state.ts';
import type { Numbering } from '../numbering/domain/numbering.ts';
import { seriesOf } from '../numbering/series.ts';
import { beginNumbering } from '../numbering/take-number.ts';
import { whole, type FrozenCustomer, type NamedCustomer, type PersonalPart } from './domain/parties.ts';

/** A document's request for its number: `revision` is the stream's newest, mostly the request's own. */
export interface Request {
  stream: string;
  revision: bigint | 'none';
  /** Those that ask for a number. */
  types: readonly string[];
  /** The events of the command that made it; absent where it was made before. */
  events?: readonly DomainEvent[] | undefined;
}

export interface RequestedCustomer {
  /** Without the personal data that nobody can read any more: for a number that was taken before. */
  customer: FrozenCustomer;
  /** Why no number is taken for it any more: the key of its data is destroyed. */
  obstacle?: DomainError;
}

/**
 * Whom the document is to, for the legal record. Personal data are those of the command under way or of the stream, and kept nowhere else: a customer
 * who was erased meanwhile has none.
 */
export async function requestedCustomer(
  { store }: Pick<DocumentContext, 'store'>,
  request: Request,
  named: NamedCustomer | FrozenCustomer,
): Promise<RequestedCustomer> {
  if ('name' in named) return { customer: named };
  const { events, types } = request;
  const made = events?.findLast(({ type }) => types.includes(type));
  const { personal } = (made ?? (await requestOf(store, request))).data as { personal?: PersonalPart | null };
  const isKnown = personal && (!made || (await store.hasKey(named.id)));
  const customer = whole(named, isKnown ? personal : null);
  return isKnown ? { customer } : { customer, obstacle: customerErased() };
}

/**
 * Why a request that a backup holds takes no number: what was registered after the backup is not known, so its document may be among it. A
 * number that the series holds is found all the same.
 */
export async function lostSince(
  { store, restored }: Pick<DocumentContext, 'store' | 'restored'>,
  request: Request,
): Promise<DomainError | undefined> {
  if (!restored) return undefined;
  return (await requestOf(store, request)).position <= restored.until ? requestedBeforeRestore() : undefined;
}

async function requestOf(store: DocumentContext['store'], { stream, revision, types }: Request): Promise<Recorded> {
  const [newest] = await store.read(stream, revision === 'none' ? 0n : revision, 1);
  let found = newest && types.includes(newest.type) ? newest : undefined;
  if (!found) {
    for await (const piece of piecesOf(store, { stream, turn: soon }))
      found = piece.findLast((one) => types.includes(one.type) && revision !== 'none' && one.revision <= revision) ?? found;
  }
  if (!found) throw new TypeError(`${stream} is being numbered and holds no ${types.join(' or ')}`);
  return found;
}

export const customerErased = (): DomainError => invalid({ customer_id: ['names a customer that was erased. Name another.'] });

const requestedBeforeRestore = (): DomainError =>
  invalid({
    series: [
      'takes no number for a request that was made before the system was restored from a backup. ' +
        'Look whether the tax authority has the document; if it has not, submit it again with a new Idempotency-Key.',
    ],
  });

/** Where a document is numbered. `issueDate`: the caller's; null: the day of numbering. `dueDate`: null or absent where none is named. */
type InSeries = Parameters<typeof seriesOf>[1] & { issueDate: Day | null; dueDate?: Day | null };

/** The numbering that a document is to ask for. Where its series cannot take it: the error, for the decider to throw after checks of higher priority. */
export async function numberingFor(
  context: DocumentContext,
  issuer: IssuerState,
  { issueDate, dueDate, ...place }: InSeries,
): Promise<Numbering | DomainError> {
  try {
    const series = seriesOf(issuer, { ...place, ...numberedPlace(place, issuer) });
    return await beginNumbering(context, { series, issueDate, dueDate, timeZone: issuer.time_zone });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    countNumber('refused');
    return error;
  }
}

const numbers = new Counter({
  name: 'svc_numbers_total',
  help: 'Requests of documents for a number: taken, or refused because of the series or the date',
  labelNames: ['outcome'],
});
for (const outcome of ['taken', 'refused']) numbers.inc({ outcome }, 0);

export const countNumber = (outcome: 'taken' | 'refused'): void => numbers.inc({ outcome });
