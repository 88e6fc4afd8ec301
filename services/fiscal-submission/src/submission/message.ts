import type { Authority, Message, Ours, Unsigned } from './authority.ts';
import type { AttemptKind } from './domain/facts.ts';
import type { Calling } from './domain/state.ts';

/** The message of a call about one document. Throws where its authority has no such call. */
export function messageOf(
  authority: Authority,
  state: Calling,
  kind: AttemptKind,
  envelope: Parameters<Authority['render']>[2],
): Message | Unsigned {
  if (state.status === 'cancelling') {
    if (kind === 'query' && authority.query) return authority.query(state, oursIn(state), envelope);
    if (!authority.cancel) throw new Error(`${authority.id} knows no cancellation: void ${state.document_id} by a corrective document`);
    return authority.cancel(
      state,
      state.registration,
      { ...state.cancellation, ...(state.prepared && { record: state.prepared }) },
      envelope,
    );
  }
  if (kind === 'query' && authority.query) return authority.query(state, oursIn(state), envelope);
  if (state.status === 'amending') {
    if (!authority.batch || !state.prepared) throw new Error(`${authority.id} amends no records, such as that of ${state.document_id}`);
    return authority.batch.render([state.prepared], envelope);
  }
  if (kind === 'deposit' && authority.opening) return authority.opening(state.prepared, envelope);
  return authority.render(state, state.prepared, envelope);
}

/** Which record a call is about. */
export function oursIn(state: Calling): Ours {
  if (state.status === 'pending' || state.status === 'unknown')
    return { record_sha256: state.prepared.sha256, registered: false, reference: state.prepared.reference };
  const { registration, prepared } = state;
  const { reference } = prepared ?? registration;
  if (state.status === 'cancelling') return { record_sha256: registration.record_sha256, registered: true, reference };
  return { record_sha256: prepared?.sha256 ?? registration.record_sha256, registered: false, reference, amends: registration.reference };
}
