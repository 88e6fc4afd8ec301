import type { CustomerEvent } from './events.ts';
import type { CustomerState } from './state.ts';

/** null: no such customer. Personal data whose key was destroyed is null in every event. */
export function evolve(_: CustomerState | null, event: CustomerEvent): CustomerState {
  const { at } = event.data;
  if (event.type === 'CustomerCreated') {
    const { at: _at, ...fields } = event.data;
    return { ...fields, created_at: at, updated_at: at, deleted_at: null, erased_at: null };
  }
  const { at: _at, ...fields } = event.data;
  return { ...fields, updated_at: at };
}
