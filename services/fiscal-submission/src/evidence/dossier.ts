import { iso, type Actor, type Recorded } from '@svc/kernel';
import type { ChainLink } from '../chain/domain/link.ts';
import { submissionEvents, type SubmissionEvent } from '../submission/domain/events.ts';
import { evolve } from '../submission/domain/evolve.ts';
import type { Resolution } from '../submission/domain/facts.ts';
import { initialState, type Known, type Registered } from '../submission/domain/state.ts';

type Prepared = Extract<SubmissionEvent, { type: 'RecordPrepared' }>['data'];
type Cancelling = Extract<SubmissionEvent, { type: 'CancellationPrepared' }>['data'];
type Amending = Extract<SubmissionEvent, { type: 'AmendmentPrepared' }>['data'];

/** A record as it was prepared. `round`: of a cancellation, the sequence of its request; of an amendment its number. `link`: null where its authority has no chain. */
export type KeptRecord = { round: number; link: ChainLink | null } & (
  | ({ operation: 'register' } & Omit<Prepared, 'news'>)
  | ({ operation: 'amend' } & Omit<Amending, 'amendment'>)
  | ({ operation: 'cancel' } & Omit<Cancelling, 'cancellation'>)
);

/** What a person found out about a submission in doubt, and who it was. */
export type ByHand = Resolution & { at: string; actor: Pick<Actor, 'type' | 'id'> | null };

/** All that the stream of a submission holds about its document. */
export interface Dossier {
  state: Known;
  /** Of each round and cancellation whose record was prepared. */
  records: KeptRecord[];
  resolved: ByHand[];
  /** Of an attempt to cancel, by its number, the round of the record that was to be sent; none where its authority has no chain. */
  cancelled: ReadonlyMap<number, number>;
}

/** Undefined where nothing was submitted. */
export function dossierOf(recorded: readonly Recorded[]): Dossier | undefined {
  const events = recorded.map((one) => ({ one, event: submissionEvents.decode(one) }));
  const state = events.reduce((before, { event }) => evolve(before, event), initialState);
  if (state.status === 'none') return undefined;
  const links = new Map(
    events.flatMap(({ event }) => (event.type === 'RecordLinked' ? [[event.data.round, event.data.link] as const] : [])),
  );
  const records = events.flatMap(({ event }) => recordIn(event, links) ?? []);
  const resolved = events.flatMap(({ one, event }) => (event.type === 'DoubtResolved' ? [byHand(one, event.data)] : []));
  return { state, records, resolved, cancelled: cancelledIn(events.map(({ event }) => event)) };
}

function recordIn(event: SubmissionEvent, links: ReadonlyMap<number, ChainLink>): KeptRecord | undefined {
  if (event.type === 'RecordPrepared') {
    const { news: _news, ...prepared } = event.data;
    return { operation: 'register', ...prepared, link: links.get(prepared.round) ?? null };
  }
  if (event.type === 'AmendmentPrepared') {
    const { amendment, ...prepared } = event.data;
    return { operation: 'amend', round: amendment, ...prepared };
  }
  if (event.type !== 'CancellationPrepared') return undefined;
  const { cancellation, ...prepared } = event.data;
  return { operation: 'cancel', round: cancellation, ...prepared };
}

function cancelledIn(events: readonly SubmissionEvent[]): Map<number, number> {
  const found = new Map<number, number>();
  let prepared: number | undefined;
  for (const { type, data } of events) {
    if (type === 'CancellationPrepared') prepared = data.cancellation;
    if (type === 'AttemptStarted' && data.kind === 'cancel' && prepared !== undefined) found.set(data.n, prepared);
  }
  return found;
}

function byHand({ metadata, recordedAt }: Recorded, { at = iso(recordedAt), ...resolution }: Resolution & { at?: string }): ByHand {
  const { actor } = metadata;
  return { ...resolution, at, actor: actor ? { type: actor.type, id: actor.id } : null };
}

/** The registration of the document, also of one that is being cancelled or was; null: none. */
export const registrationOf = (state: Known): Registered | null => ('registration' in state ? state.registration : null);
