import { isWhole, type IssuerEvent, type WholeIssuer } from './events.ts';
import type { IssuerState } from './state.ts';

/** null: nothing is stored, the issuer has its defaults. */
export function evolve(state: IssuerState | null, event: IssuerEvent): IssuerState | null {
  const { at, ...fields } = event.data;
  switch (event.type) {
    case 'IssuerCreated':
      return { ...(fields as Omit<IssuerState, 'created_at' | 'updated_at'>), created_at: at, updated_at: at };
    case 'IssuerUpdated':
      if (isWhole(event)) return { ...(fields as WholeIssuer), updated_at: at };
      return state && { ...state, ...fields, updated_at: at };
    default:
      return event satisfies never;
  }
}
