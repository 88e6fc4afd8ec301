import { invalid, piecesOf, soon, type Recorded, type Refusal } from '@svc/kernel';
import type { InvoicingContext } from '../context.ts';
import { whole, type FrozenCustomer, type NamedCustomer, type PersonalPart } from './domain/parties.ts';

/** A document's request for its number: `revision` is the stream's newest, mostly the request's own. */
export interface Request {
  stream: string;
  revision: bigint | 'none';
  type: string;
}

export interface RequestedCustomer {
  /** Without the personal data that nobody can read any more: for a number that was taken before. */
  customer: FrozenCustomer;
  /** Why no number is taken for it any more: the key of its data is destroyed. */
  obstacle?: Refusal;
}

/**
 * Whom the document is to, for the legal record. Personal data are read from the stream each time and kept nowhere before: a customer
 * who was erased meanwhile is not in any memory either.
 */
export async function requestedCustomer(
  { store }: Pick<InvoicingContext, 'store'>,
  request: Request,
  named: NamedCustomer | FrozenCustomer,
): Promise<RequestedCustomer> {
  if ('name' in named) return { customer: named };
  const { personal } = (await requestOf(store, request)).data as { personal?: PersonalPart | null };
  const customer = whole(named, personal ?? null);
  return personal ? { customer } : { customer, obstacle: customerErased() };
}

async function requestOf(store: InvoicingContext['store'], { stream, revision, type }: Request): Promise<Recorded> {
  const newest = await store.read(stream, revision === 'none' ? 0n : revision, 1);
  let found = newest[0]?.type === type ? newest[0] : undefined;
  if (!found) {
    for await (const piece of piecesOf(store, { stream, turn: soon })) found = piece.findLast((event) => event.type === type) ?? found;
  }
  if (!found) throw new TypeError(`${stream} is being numbered and holds no ${type}`);
  return found;
}

export const customerErased = (): Refusal => invalid({ customer_id: ['names a customer that was erased. Name another.'] });
