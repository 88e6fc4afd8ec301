import type { CustomerEvent } from './events.ts';
import type { CustomerState } from './state.ts';

/** null: no such customer. Personal data whose key is gone comes as null, at any event. */
export function evolve(state: CustomerState | null, event: CustomerEvent): CustomerState | null {
  if (event.type === 'CustomerCreated') {
    const { at, ...fields } = event.data;
    return { ...fields, created_at: at, updated_at: at, deleted_at: null, erased_at: null };
  }
  if (state === null) return state;
  switch (event.type) {
    case 'CustomerUpdated': {
      const { at, ...changed } = event.data;
      return { ...state, ...changed, updated_at: at };
    }
    case 'CustomerDeleted':
      return { ...state, deleted_at: event.data.at, updated_at: event.data.at };
    case 'CustomerErased':
      return {
        ...state,
        personal: null,
        erased_at: event.data.at,
        deleted_at: state.deleted_at ?? event.data.at,
        updated_at: event.data.at,
      };
    default:
      return event satisfies never;
  }
}
