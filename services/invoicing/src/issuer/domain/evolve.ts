import type { IssuerEvent } from './events.ts';
import type { IssuerState } from './state.ts';

/** null: nothing is stored, the issuer has its defaults. */
export function evolve(_: IssuerState | null, event: IssuerEvent): IssuerState {
  const { at } = event.data;
  if (event.type === 'IssuerCreated') {
    const { at: _at, ...fields } = event.data;
    return { ...none, ...fields, created_at: at, updated_at: at };
  }
  const { at: _at, ...fields } = event.data;
  return { ...none, ...fields, updated_at: at };
}

/** until 0.3: events of 0.1.0 have none of them. */
const none = { devices: [], installation: null, tax_regime: null };
