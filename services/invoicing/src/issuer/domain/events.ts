import type { IssuerState } from './state.ts';

/** The fields of the issuer that callers write. */
export type IssuerFields = Omit<IssuerState, 'id' | 'livemode' | 'created_at' | 'updated_at'>;

export type IssuerEvent =
  /** The defaults, stored with the first change: `at` is when the account began. */
  | { type: 'IssuerCreated'; data: { at: string; id: string; livemode: boolean } & IssuerFields }
  | { type: 'IssuerUpdated'; data: { at: string } & (WholeIssuer | Partial<IssuerFields>) };

/**
 * The issuer after the event, so that its stream may have any length. Older releases wrote only the changed fields, and read the complete
 * state as changes without effect.
 */
export type WholeIssuer = Omit<IssuerState, 'updated_at'>;

/** True where no earlier event is needed to read the state. */
export const isWhole = ({ type, data }: IssuerEvent): boolean => type === 'IssuerCreated' || 'created_at' in data;

/** The version of each event type that is written today. */
export const issuerEventVersions: Record<IssuerEvent['type'], number> = { IssuerCreated: 1, IssuerUpdated: 1 };
