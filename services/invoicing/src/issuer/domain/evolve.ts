import { isWhole, type IssuerEvent, type WholeIssuer } from './events.ts';
import { presetSeries } from './series-settings.ts';
import type { IssuerState } from './state.ts';

/** null: nothing is stored, the issuer has its defaults. */
export function evolve(state: IssuerState | null, event: IssuerEvent): IssuerState | null {
  const { at, ...fields } = event.data;
  switch (event.type) {
    case 'IssuerCreated':
      return withAllSeries({ ...(fields as Omit<IssuerState, 'created_at' | 'updated_at'>), created_at: at, updated_at: at });
    case 'IssuerUpdated':
      if (isWhole(event)) return withAllSeries({ ...(fields as WholeIssuer), updated_at: at });
      return state && withAllSeries({ ...state, ...fields, updated_at: at });
    default:
      return event satisfies never;
  }
}

/** A document that is newer than the event has the default series of its country. */
const withAllSeries = (state: IssuerState): IssuerState => ({ ...state, series: { ...presetSeries(state.country), ...state.series } });
