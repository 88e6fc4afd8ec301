import { type Decider, invalidState, sameJson } from '@svc/kernel';
import type { CustomerEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { mergedFields, type CustomerBody } from './fields.ts';
import type { CustomerState } from './state.ts';
import type { TaxIdCheck } from './tax-id.ts';

export type CustomerCommand =
  | { type: 'create'; at: string; id: string; livemode: boolean; body: CustomerBody; isTaxId: TaxIdCheck }
  | { type: 'update'; at: string; body: CustomerBody; isTaxId: TaxIdCheck }
  | { type: 'delete'; at: string }
  | { type: 'erase'; at: string };

/** A deleted customer can still be erased, and nothing else. Repeating a deletion or an erasure changes nothing. */
export function decide(command: CustomerCommand, state: CustomerState | null): CustomerEvent[] {
  const { at } = command;
  if (command.type === 'create') {
    if (state !== null) return [];
    const { id, livemode, body, isTaxId } = command;
    return [{ type: 'CustomerCreated', data: { at, id, livemode, ...mergedFields(body, null, isTaxId) } }];
  }
  if (state === null) throw new TypeError('a customer is created first');
  switch (command.type) {
    case 'update':
      return update(command, state);
    case 'delete':
      return state.deleted_at === null ? [{ type: 'CustomerDeleted', data: whole(at, state, { deleted_at: at }) }] : [];
    case 'erase': {
      const erased = { personal: null, erased_at: at, deleted_at: state.deleted_at ?? at };
      return state.erased_at === null ? [{ type: 'CustomerErased', data: whole(at, state, erased) }] : [];
    }
    default:
      return command satisfies never;
  }
}

function update({ at, body, isTaxId }: CustomerCommand & { type: 'update' }, state: CustomerState): CustomerEvent[] {
  if (state.deleted_at !== null) throw invalidState('update', 'deleted', []);
  const fields = mergedFields(body, state, isTaxId);
  const { personal, language, metadata } = state;
  return sameJson(fields, { personal, language, metadata }) ? [] : [{ type: 'CustomerUpdated', data: whole(at, state, fields) }];
}

/** The complete state of the customer after `changes`. */
function whole(at: string, { updated_at: _, ...state }: CustomerState, changes: Partial<CustomerState>) {
  return { at, ...state, ...changes };
}

export const customerDecider: Decider<CustomerState | null, CustomerCommand, CustomerEvent> = { initialState: null, decide, evolve };
