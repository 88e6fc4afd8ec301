import type { IssuerState } from './state.ts';

/** What a caller writes of the issuer. */
export type IssuerFields = Omit<IssuerState, 'id' | 'livemode' | 'created_at' | 'updated_at'>;

export type IssuerEvent =
  /** The born default, kept as it was at the first change: `at` is when the account began. */
  | { type: 'IssuerCreated'; data: { at: string; id: string; livemode: boolean } & IssuerFields }
  /** What changed alone. */
  | { type: 'IssuerUpdated'; data: { at: string } & Partial<IssuerFields> };

/** Version of each shape as it is written today. */
export const issuerEventVersions: Record<IssuerEvent['type'], number> = { IssuerCreated: 1, IssuerUpdated: 1 };
