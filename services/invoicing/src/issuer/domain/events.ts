import type { IssuerState } from './state.ts';

/** What a caller writes of the issuer. */
export type IssuerFields = Omit<IssuerState, 'id' | 'livemode' | 'created_at' | 'updated_at'>;

export type IssuerEvent =
  /** The default, kept as it was at the first change: `at` is when the account began. */
  | { type: 'IssuerCreated'; data: { at: string; id: string; livemode: boolean } & IssuerFields }
  | { type: 'IssuerUpdated'; data: { at: string } & (WholeIssuer | Partial<IssuerFields>) };

/**
 * The issuer after the event, so that its stream may have any length. Older releases wrote, and read, what changed alone: these fields
 * they take for changes, to what already is.
 */
export type WholeIssuer = Omit<IssuerState, 'updated_at'>;

/** True where nothing before the event matters any more. */
export const isWhole = ({ type, data }: IssuerEvent): boolean => type === 'IssuerCreated' || 'created_at' in data;

/** Version of each shape as it is written today. */
export const issuerEventVersions: Record<IssuerEvent['type'], number> = { IssuerCreated: 1, IssuerUpdated: 1 };
