import type { Decider, DomainEvent } from '@svc/kernel';
import { isBeingNumbered } from './domain/numbering.ts';
import type { DocumentCommand } from './domain/outcome.ts';
import { partiesOf } from './domain/parties.ts';
import type { Written } from './domain/state.ts';

/** The document as it is once it has its number, which is as long as any; itself unless its last event, `requested`, asks for one. */
export function onceNumbered<State extends object, Command extends { type: string }, Event extends DomainEvent>(
  { decide, evolve }: Pick<Decider<State | null, Command | DocumentCommand, Event>, 'decide' | 'evolve'>,
  state: State | null,
  { data }: Event,
): State | null {
  if (!isBeingNumbered(state)) return state;
  const { id, created_at: at } = state as unknown as Written<unknown>;
  const taken = { document: id, seq: Number.MAX_SAFE_INTEGER, number: '9'.repeat(255), issued_at: at, issue_date: at.slice(0, 10) };
  const parties = partiesOf(data as Parameters<typeof partiesOf>[0]);
  return decide({ type: 'number', at, request: state.request ?? 1, taken, parties }, state).reduce(evolve, state);
}
