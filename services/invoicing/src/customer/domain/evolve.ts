import { isWhole, type CustomerEvent } from './events.ts';
import type { CustomerState } from './state.ts';

type Changed = Exclude<CustomerEvent, { type: 'CustomerCreated' }>;

/** null: no such customer. Personal data whose key was destroyed is null in every event. */
export function evolve(state: CustomerState | null, event: CustomerEvent): CustomerState | null {
  if (event.type === 'CustomerCreated') {
    const { at, ...fields } = event.data;
    return { ...fields, created_at: at, updated_at: at, deleted_at: null, erased_at: null };
  }
  const { at, ...fields } = event.data;
  if (isWhole(event)) return { ...(fields as Omit<CustomerState, 'updated_at'>), updated_at: at };
  return state && { ...state, ...partly(state, event), updated_at: at };
}

/** Applies an event of an older release, which holds only the change. */
function partly(state: CustomerState, { type, data: { at, ...changed } }: Changed): Partial<CustomerState> {
  switch (type) {
    case 'CustomerUpdated':
      return changed;
    case 'CustomerDeleted':
      return { deleted_at: at };
    case 'CustomerErased':
      return { personal: null, erased_at: at, deleted_at: state.deleted_at ?? at };
    default:
      return type satisfies never;
  }
}
