import type { IssuerState } from './state.ts';

/** Absent before 0.2: none are set. */
type Newer = 'devices' | 'installation' | 'tax_regime';
export type IssuerFields = Omit<IssuerState, 'id' | 'livemode' | 'created_at' | 'updated_at' | Newer> & Partial<Pick<IssuerState, Newer>>;

export type IssuerEvent =
  /** The defaults, stored with the first change: `at` is when the account began. */
  | { type: 'IssuerCreated'; data: { at: string; id: string; livemode: boolean } & IssuerFields }
  /** The issuer after the event, so that its stream may have any length. */
  | { type: 'IssuerUpdated'; data: { at: string; id: string; livemode: boolean; created_at: string } & IssuerFields };

/** No earlier event is needed to read the state. */
export const isWhole = (): boolean => true;

/** The version of each event type that is written today. */
export const issuerEventVersions: Record<IssuerEvent['type'], number> = { IssuerCreated: 1, IssuerUpdated: 1 };
