import { waitGoesOn } from '@svc/kernel';
import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import type { AttemptKind } from './domain/facts.ts';
import type { Calling } from './domain/state.ts';

/** The opening of a till on a day. `_id`: environment, account, and the opening as its records name it. */
export interface TillOpening extends Doc {
  /** The document before which it is registered, and until when that is tried (milliseconds since 1970). */
  document: string;
  until: number;
  isOpen: boolean;
}

type Openings = Collection<TillOpening>;

/** How long a document has the opening to itself, in milliseconds: longer than a call. */
const CLAIM_MS = 30_000;

interface Opening {
  openings: Openings;
  /** Environment and account. */
  tenant: string;
  now: number;
}

/**
 * What is called next for a document whose till may have to be opened first. `wait`: another document opens it. An opening is not asked for twice at once; that
 * it is asked for again after a crash is harmless, since the authority then says that it is open.
 */
export async function openingFirst(state: Calling, kind: AttemptKind, { openings, tenant, now }: Opening): Promise<AttemptKind | 'wait'> {
  if ((state.status !== 'pending' && state.status !== 'unknown') || state.prepared.opening === undefined) return kind;
  const id = `${tenant}.${state.prepared.opening}`;
  if (state.tillOpened) await change(openings, id, { document: state.document_id, until: 0, isOpen: true }, ({ isOpen }) => !isOpen);
  if (kind !== 'deposit') return kind;
  const claimed = { document: state.document_id, until: now + CLAIM_MS, isOpen: false };
  const isFree = ({ isOpen, document, until }: TillOpening): boolean =>
    !isOpen && (document === state.document_id || !waitGoesOn(until, now, CLAIM_MS));
  const found = await change(openings, id, claimed, isFree);
  if (found.isOpen) return 'submit';
  return found.document === state.document_id ? 'deposit' : 'wait';
}

async function change(openings: Openings, _id: string, set: Omit<TillOpening, '_id' | 'version'>, may: (found: TillOpening) => boolean) {
  const made: TillOpening = { _id, version: 1, ...set };
  if (await openings.insert(made)) return made;
  const { doc } = await compareAndSet<TillOpening, TillOpening>(openings, _id, {
    absent: () => made,
    change: (found) => (may(found) ? set : undefined),
    tries: 20,
  });
  return doc;
}
